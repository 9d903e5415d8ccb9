import { type AccountCalls, accountCalls } from './account';
import { type BillCalls, billCalls } from './bill';
import { type CouponCalls, couponCalls } from './coupon';
import { type ImageCalls, imageCalls, type MadeImageCalls, madeImageCalls } from './image';
import { type LabImageCalls, labImageCalls } from './labImage';
import { type LabSessionCalls, labSessionCalls } from './labSession';
import { type MembershipCalls, membershipCalls } from './membership';
import { type OrderCalls, orderCalls } from './order';
import { type OrderPaymentCalls, orderPaymentCalls } from './orderPayment';
import { type PointsCalls, pointsCalls } from './points';
import { type ProductCalls, productCalls } from './product';
import { type TrackCalls, trackCalls } from './track';
import { type UserCalls, userCalls } from './user';
import { type WorkshopCalls, workshopCalls } from './workshop';
import { type WorkshopFileCalls, workshopFileCalls } from './workshopFile';
import { type WorkshopLifeCalls, workshopLifeCalls } from './workshopLife';

/** Every call of the wire that is built: the gateway implements, OpenAPI describes and mock mode answers exactly these. */
export const calls = {
  ...userCalls,
  ...accountCalls,
  ...imageCalls,
  ...madeImageCalls,
  ...labImageCalls,
  ...workshopCalls,
  ...workshopFileCalls,
  ...workshopLifeCalls,
  ...labSessionCalls,
  ...trackCalls,
  ...productCalls,
  ...couponCalls,
  ...membershipCalls,
  ...pointsCalls,
  ...billCalls,
  ...orderCalls,
  ...orderPaymentCalls,
};

/** Path → shapes; the console's `call()` is typed by it. */
export type Calls = UserCalls &
  AccountCalls &
  ImageCalls &
  MadeImageCalls &
  LabImageCalls &
  WorkshopCalls &
  WorkshopFileCalls &
  WorkshopLifeCalls &
  LabSessionCalls &
  TrackCalls &
  ProductCalls &
  CouponCalls &
  MembershipCalls &
  PointsCalls &
  BillCalls &
  OrderCalls &
  OrderPaymentCalls;
