import { type Calls, call } from '@/utils/request';

export type Sku = Calls['GET /gateway/product/pick']['data']['skus'][number];

/** What is on sale, at the prices of whoever asks. Whoever shows it shows its failure, too. */
export function pickProducts() {
  return call('GET /gateway/product/pick', {}, { isSilent: true });
}
