import { sql } from 'kysely';
import { Refusal } from '../refusal';
import type { Db, Tx } from './client';

export interface IdempotentRequest {
  route: string;
  key: string;
  requestHash: Buffer;
}

/**
 * The answer that a member's key got before, null for a new key; another request under the key throws `IDEMPOTENCY_CONFLICT`. Ask
 * before anything that can refuse: what the first request changed must not refuse its repetition.
 */
export async function findAnswer<T>(
  db: Db | Tx,
  memberId: string,
  request: IdempotentRequest | null,
): Promise<{ answer: T } | null> {
  if (!request) return null;
  const { route, key, requestHash } = request;
  const first = await db
    .selectFrom('idempotency')
    .select(['requestHash', 'body'])
    .where((where) => where.and({ memberId, route, key }))
    .executeTakeFirst();
  if (!first) return null;
  if (!first.requestHash.equals(requestHash)) throw new Refusal('IDEMPOTENCY_CONFLICT');
  return { answer: first.body as T };
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
  if (!inserted) {
    const first = await findAnswer<T>(tx, memberId, request);
    if (!first) throw new Error('an idempotency key was removed while it was being used');
    return first.answer;
  }
  const answer = await work();
  await tx
    .updateTable('idempotency')
    .set({ status: 200, body: JSON.stringify(answer) })
    .where((where) => where.and({ memberId, route, key }))
    .execute();
  return answer;
}

/** Forgets answers of more than seven days ago: nobody repeats a request that late. */
export async function deleteOldAnswers(db: Db): Promise<void> {
  await db.deleteFrom('idempotency').where('createdAt', '<', sql<Date>`app_now() - interval '7 days'`).execute();
}
