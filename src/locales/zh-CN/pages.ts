import bill from './bill';
import chart from './chart';
import checkout from './checkout';
import coupon from './coupon';
import order from './order';
import purchase from './purchase';
import membership from './membership';
import redeem from './redeem';
import success from './success';

/** All words that travel with a page (`withWords`): for types and checks, never for the console itself. */
export default {
  ...bill,
  ...chart,
  ...checkout,
  ...coupon,
  ...membership,
  ...order,
  ...purchase,
  ...redeem,
  ...success,
};
