import account from './account';
import bill from './bill';
import chart from './chart';
import checkout from './checkout';
import coupon from './coupon';
import files from './files';
import image from './image';
import limits from './limits';
import membership from './membership';
import order from './order';
import points from './points';
import purchase from './purchase';
import redeem from './redeem';
import run from './run';
import success from './success';
import workshopEvents from './workshopEvents';
import workshopLife from './workshopLife';
import workshopSetup from './workshopSetup';

/** All words that travel with a page (`withWords`): for types and checks, never for the console itself. */
export default {
  ...account,
  ...bill,
  ...chart,
  ...checkout,
  ...coupon,
  ...files,
  ...image,
  ...limits,
  ...membership,
  ...order,
  ...points,
  ...purchase,
  ...redeem,
  ...run,
  ...success,
  ...workshopEvents,
  ...workshopLife,
  ...workshopSetup,
};
