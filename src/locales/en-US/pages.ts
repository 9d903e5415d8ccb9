import coupon from './coupon';
import redeem from './redeem';

/** All words that travel with a page (`withWords`): for types and checks, never for the console itself. */
export default { ...coupon, ...redeem };
