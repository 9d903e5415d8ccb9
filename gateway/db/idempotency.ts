import { Refusal } from '../refusal';
import type { Tx } from './client';

export interface IdempotentRequest {
  route: string;
  key: string;
  requestHash: Buffer;
}

/**
 * Runs `work` once for a member's key and stores its answer in the same transaction; the same request again gets that first
 * answer, another request under the key `IDEMPOTENCY_CONFLICT`. A refusal rolls back and is therefore not remembered.
 * A request that arrives while the first runs waits for it on the unique index.
 */
export async function runOnce<T>(tx: Tx, memberId: string, request: IdempotentRequest | null, work: () => Promise<T>): Promise<T> {
  if (!request) return work();
  const { route, key, requestHash } = request;
  const inserted = await tx
    .insertInto('idempotency')
    .values({ memberId, route, key, requestHash, status: null, body: null })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst();
  const ofKey = { memberId, route, key };
  if (!inserted) {
    const first = await tx
      .selectFrom('idempotency')
      .select(['requestHash', 'body'])
      .where((where) => where.and(ofKey))
      .executeTakeFirstOrThrow();
    if (!first.requestHash.equals(requestHash)) throw new Refusal('IDEMPOTENCY_CONFLICT');
    return first.body as T;
  }
  const answer = await work();
  await tx
    .updateTable('idempotency')
    .set({ status: 200, body: JSON.stringify(answer) })
    .where((where) => where.and(ofKey))
    .execute();
  return answer;
}
