import { randomBytes } from 'node:crypto';
import { inTransaction, readNow } from '../../db/client';
import { SANDBOX_ACCOUNT, takeMoney } from '../../drivers/payment/sandbox/sandboxBooks';
import { selectTradeOfPayment } from '../../drivers/payment/sandbox/sandboxBooks.repository';
import { signNotice } from '../../drivers/payment/sandbox/sandboxSignature';
import type { TestApp } from '../../testing/buildTestApp';

type App = Pick<TestApp, 'db' | 'clock'>;

/** What a notice says of an attempt that was paid, as a test would have it. */
export type Said = Record<string, string | number>;

/** A notice the provider would sign for an attempt, with fields of the test's own. */
export async function paidNotice({ db }: Pick<TestApp, 'db'>, paymentId: string, changes: Said = {}): Promise<Said> {
  const { amountFen } = await db.selectFrom('payment').select('amountFen').where('id', '=', paymentId).executeTakeFirstOrThrow();
  return {
    ...SANDBOX_ACCOUNT,
    ...{ paymentId, status: 'PAID', providerTxn: `T${randomBytes(8).toString('hex')}`, amountFen: String(amountFen) },
    ...{ currency: 'CNY', paidAt: (await readNow(db)).toISOString() },
    ...changes,
  };
}

/** The bytes and the signature of a notice. `ageMs` ago it was signed. */
export async function signed(
  { db, clock }: App,
  said: Said,
  ageMs = 0,
): Promise<{ body: string; headers: Record<string, string> }> {
  const { privateKey } = await db.selectFrom('sandboxAccount').select('privateKey').executeTakeFirstOrThrow();
  const body = JSON.stringify(said);
  return { body, headers: signNotice(Buffer.from(body), privateKey, clock.nowMs() - ageMs) };
}

/** Sends bytes to where the provider tells us of payments, over HTTP. */
export async function notify(
  { db }: Pick<TestApp, 'db'>,
  { body, headers }: { body: string; headers: Record<string, string> },
  provider = 'sandbox',
): Promise<{ status: number; text: string; type: string | null }> {
  const { notifyOrigin } = await db.selectFrom('sandboxAccount').select('notifyOrigin').executeTakeFirstOrThrow();
  const url = new URL(`/gateway/payment/notify/${provider}`, notifyOrigin ?? undefined);
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });
  return { status: answer.status, text: await answer.text(), type: answer.headers.get('content-type') };
}

/** Money that comes at the provider for an attempt, whatever became of it, and is told of when notices are sent next. */
export async function moneyComes({ db }: Pick<TestApp, 'db'>, paymentId: string, times = 1): Promise<void> {
  await inTransaction(db, async (tx) => {
    const trade = await selectTradeOfPayment(tx, paymentId);
    if (!trade) throw new Error(`the sandbox has no trade of ${paymentId}`);
    for (let time = 0; time < times; time += 1) await takeMoney(tx, trade, { at: await readNow(tx) });
  });
}
