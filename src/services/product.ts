import { call } from '@/utils/request';
import type { Calls } from '../../gateway/contract/calls';

export type Sku = Calls['GET /gateway/product/pick']['data']['skus'][number];

/** What is on sale, at the prices of whoever asks. Whoever shows it shows its failure, too. */
export function pickProducts() {
  return call('GET /gateway/product/pick', {}, { isSilent: true });
}
