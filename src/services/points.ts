import { call } from '@/utils/request';
import type { PointsCalls } from '../../gateway/contract/points';

export type PointsOverview = PointsCalls['GET /gateway/points/overview']['data'];
export type CheckIn = PointsOverview['checkIn'];
export type Reward = PointsOverview['rewards'][number];
export type PointsTask = PointsCalls['GET /gateway/points/tasks']['data']['list'][number];
export type PointsChangeQuery = PointsCalls['GET /gateway/points/page']['query'];
export type PointsChange = PointsCalls['GET /gateway/points/page']['data']['list'][number];

// All are silent: page and dialog show a failure in its place.

export function getPointsOverview() {
  return call('GET /gateway/points/overview', {}, { isSilent: true });
}

export function getPointsTasks() {
  return call('GET /gateway/points/tasks', {}, { isSilent: true });
}

export function pagePointsChanges(query: PointsChangeQuery) {
  return call('GET /gateway/points/page', { query }, { isSilent: true });
}

export function checkIn() {
  return call('POST /gateway/points/checkIn', {}, { isSilent: true });
}

export function redeemReward(body: PointsCalls['POST /gateway/points/redeem']['body'], idempotencyKey: string) {
  return call('POST /gateway/points/redeem', { body }, { idempotencyKey, isSilent: true });
}
