import type { Calls } from '../../gateway/contract/calls';
import { call } from '../utils/request';

export type AccountOverview = Calls['GET /gateway/account/overview']['data'];
export type Lot = AccountOverview['lots'][number];
export type DcuChangeQuery = Calls['POST /gateway/dcuChange/pageFind']['body'];
export type DcuChange = Calls['POST /gateway/dcuChange/pageFind']['data']['list'][number];

/** The balance alone; nobody is told when it cannot be had. */
export function getRemainDcu(query: { isInit?: boolean } = {}) {
  return call('GET /gateway/account/remainDcu', { query }, { isSilent: true });
}

/** Polled: whoever shows it shows its failure, too. */
export function getAccountOverview() {
  return call('GET /gateway/account/overview', {}, { isSilent: true });
}

/** The table shows its failure with a way to try again. */
export function pageDcuChanges(body: DcuChangeQuery) {
  return call('POST /gateway/dcuChange/pageFind', { body }, { isSilent: true });
}

/** The form shows its failure. */
export function setAlert(body: Calls['POST /gateway/account/setAlert']['body']) {
  return call('POST /gateway/account/setAlert', { body }, { isSilent: true });
}
