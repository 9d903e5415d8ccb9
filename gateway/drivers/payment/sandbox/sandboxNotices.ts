import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../../../clock';
import { type Db, inTransaction, readNow } from '../../../db/client';
import { takeMoney } from './sandboxBooks';
import { acknowledgeNotice, claimNotices, type DueNotice, selectLateTradesForUpdate } from './sandboxBooks.repository';
import { signNotice } from './sandboxSignature';

export const ACKNOWLEDGEMENT = 'success';
const ANSWER_LIMIT_MS = 10_000;
const BATCH = 50;
const TRIES_MOST = 16;

/**
 * Tells the gateway of payments over HTTP, signed, again and again until it acknowledges; and lets money come late where a payer asked
 * for that. How many notices were acknowledged.
 */
export function createSandboxNotices({ db, clock, log }: { db: Db; clock: Clock; log: FastifyBaseLogger }) {
  async function deliver({ privateKey, ...notice }: DueNotice): Promise<boolean> {
    const body = Buffer.from(notice.body);
    try {
      const answer = await fetch(new URL(notice.notifyPath, notice.notifyOrigin), {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...signNotice(body, privateKey, clock.nowMs()) },
        body: new Uint8Array(body),
        redirect: 'error',
        signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
      });
      if (!answer.ok || (await answer.text()) !== ACKNOWLEDGEMENT) {
        log.info({ notice: notice.id, status: answer.status }, 'a sandbox notice was not acknowledged');
        return false;
      }
      await acknowledgeNotice(db, notice.id);
      return true;
    } catch (err) {
      log.info({ err, notice: notice.id }, 'a sandbox notice did not arrive');
      return false;
    }
  }

  /** Money that was to come once the time to pay is over. */
  async function takeLateMoney(): Promise<void> {
    await inTransaction(db, async (tx) => {
      const at = await readNow(tx);
      for (const trade of await selectLateTradesForUpdate(tx, at)) {
        await takeMoney(tx, trade, { at });
      }
    });
  }

  async function sendDue(): Promise<number> {
    const due = await claimNotices(db, { most: BATCH, triesMost: TRIES_MOST });
    const told = await Promise.all(due.map(deliver));
    return told.filter(Boolean).length;
  }

  return {
    /** What is due already. */
    sendDue,
    async sendNotices(): Promise<number> {
      await takeLateMoney();
      return sendDue();
    },
  };
}
