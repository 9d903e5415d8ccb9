import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../../../clock';
import type { Db } from '../../../db/client';
import type { PaymentProvider } from '../paymentProvider';
import { createCashier } from './cashier';
import { selectAccount, updateNotifyOrigin } from './sandboxBooks.repository';
import { createSandboxNotices } from './sandboxNotices';
import { createSandboxProvider } from './sandboxProvider';
import { createKeyPair } from './sandboxSignature';

export interface Sandbox {
  provider: PaymentProvider;
  cashier: ReturnType<typeof createCashier>;
  /** Sends what is due; how many notices were acknowledged. */
  sendNotices(): Promise<number>;
  /** Sends what was written just now, without waiting for it. */
  sendNoticesSoon(): void;
  registerNotifyOrigin(origin: string): Promise<void>;
}

/** The payment sandbox, whole. */
export function createSandbox(deps: { db: Db; clock: Clock; publicUrl: string; log: FastifyBaseLogger }): Sandbox {
  const { db, log } = deps;
  const { sendNotices, sendDue } = createSandboxNotices(deps);
  return {
    provider: createSandboxProvider(deps),
    cashier: createCashier(db),
    sendNotices,
    sendNoticesSoon() {
      sendDue().catch((err: unknown) => log.warn({ err }, 'sandbox notices were not sent'));
    },
    async registerNotifyOrigin(origin) {
      await selectAccount(db, createKeyPair);
      await updateNotifyOrigin(db, origin);
    },
  };
}
