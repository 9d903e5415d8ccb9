import { v7 as uuidv7 } from 'uuid';
import type { AccountCalls } from '../contract/account';
import type { BillCalls } from '../contract/bill';
import type { Calls } from '../contract/calls';
import type { CouponCalls } from '../contract/coupon';
import type { MembershipCalls } from '../contract/membership';
import type { PointsCalls } from '../contract/points';
import type { ProductCalls } from '../contract/product';
import type { TrackCalls } from '../contract/track';
import { inTransaction } from '../db/client';
import { imageRows } from './imageRows';
import { orderPaymentRows } from './orderPaymentRows';
import { orderRows } from './orderRows';
import { userRows } from './userRows';
import { workshopRows } from './workshopRows';
import { type CallRow, NOBODYS_ID, type RowsOf } from './world';

const accountRows: RowsOf<AccountCalls> = {
  'GET /gateway/account/remainDcu': { input: () => ({}) },
  'GET /gateway/account/overview': { input: () => ({}) },
  'POST /gateway/account/setAlert': { input: () => ({ body: { thresholdDcu: 5, channels: ['sms'] } }) },
  'POST /gateway/dcuChange/pageFind': {
    input: async (world, member) => ({ body: { workshopId: await world.make('billedWorkshop', member) } }),
    ids: { 'body.workshopId': 'billedWorkshop' },
    isFilter: true,
  },
};

const trackRows: RowsOf<TrackCalls> = {
  'POST /gateway/track/events': {
    input: () => ({ body: { visitId: NOBODYS_ID, events: [{ kind: 'pageView', agoMs: 0, route: '/login' }] } }),
    // A random number of one browser tab; what is sent under it is kept without anybody's name.
    ids: { 'body.visitId': 'free' },
  },
};

const productRows: RowsOf<ProductCalls> = { 'GET /gateway/product/pick': { input: () => ({}) } };

const couponRows: RowsOf<CouponCalls> = {
  'GET /gateway/membership/coupons': { input: () => ({}) },
  'POST /gateway/membership/redeemCoupon': { input: () => ({ body: { code: 'WELCOME2026' } }) },
};

const membershipRows: RowsOf<MembershipCalls> = {
  'GET /gateway/packageMembership/list': { input: () => ({}) },
  'GET /gateway/packageMembership/custom': { input: () => ({ query: { cpuCores: 64, monthlyDcu: 100, months: 1 } }) },
  'POST /gateway/purchasedPackageItem/find': { input: () => ({ body: { state: 'ACTIVE' } }) },
};

const pointsRows: RowsOf<PointsCalls> = {
  'GET /gateway/points/overview': { input: () => ({}) },
  'GET /gateway/points/tasks': { input: () => ({}) },
  'GET /gateway/points/page': { input: () => ({}) },
  'POST /gateway/points/checkIn': { input: () => ({}) },
  'POST /gateway/points/redeem': {
    input: async ({ test }, { memberId }) => {
      const enough = { memberId, points: 500n, ref: uuidv7(), reason: 'for a reward', operator: 'safety' };
      await inTransaction(test.db, (tx) => test.services.points.adjust(tx, enough));
      return { body: { rewardId: 'dcu-5', expectedPoints: 500 } };
    },
  },
};

const days = { from: '2026-01-01', to: '2026-12-31' };

const billRows: RowsOf<BillCalls> = {
  'GET /gateway/bill/page': {
    input: async (world, member) => ({ query: { ...days, workshopId: await world.make('billedWorkshop', member) } }),
    ids: { 'query.workshopId': 'billedWorkshop' },
    isFilter: true,
  },
  'GET /gateway/bill/summary': { input: () => ({ query: { ...days, step: 'day', group: 'workshop' } }) },
  'GET /gateway/bill/segments': {
    input: async (world, member) => ({ query: { sessionId: await world.make('billedSession', member) } }),
    ids: { 'query.sessionId': 'billedSession' },
    isNeverDeleted: true,
  },
  'GET /gateway/bill/export': {
    input: async (world, member) => ({ query: { ...days, workshopId: await world.make('billedWorkshop', member) } }),
    ids: { 'query.workshopId': 'billedWorkshop' },
    isFilter: true,
  },
};

/** A row for every call of the contract: one that is missing does not compile, so no call goes untested. */
export const callRows: Readonly<Record<keyof Calls, CallRow>> = {
  ...userRows,
  ...accountRows,
  ...imageRows,
  ...workshopRows,
  ...trackRows,
  ...productRows,
  ...couponRows,
  ...membershipRows,
  ...pointsRows,
  ...billRows,
  ...orderRows,
  ...orderPaymentRows,
};
