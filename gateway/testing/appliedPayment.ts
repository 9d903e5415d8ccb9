import { v7 as uuidv7 } from 'uuid';
import { readNow, type Tx } from '../db/client';

/** Writes the payment that paid an order, for whoever fulfils it without a provider. An order that costs nothing has none. */
export async function writeAppliedPayment(tx: Tx, orderId: string): Promise<void> {
  const { memberId, payableFen: amountFen } = await tx
    .selectFrom('order')
    .selectAll()
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow();
  if (amountFen === 0n) return;
  const at = await readNow(tx);
  const id = uuidv7();
  const expiresAt = new Date(at.getTime() + 1);
  const open = { providerTxn: null, paidAt: null, appliedAt: null, nextQueryAt: null, createdAt: at, expiresAt };
  await tx
    .insertInto('payment')
    .values({ ...open, id, orderId, memberId, amountFen, provider: 'test', method: 'test' })
    .execute();
  const paid = { state: 'SUCCEEDED', providerTxn: id, paidAt: at, appliedAt: at } as const;
  await tx.updateTable('payment').set(paid).where('id', '=', id).execute();
}
