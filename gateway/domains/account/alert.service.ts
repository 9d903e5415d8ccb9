import type { FastifyBaseLogger } from 'fastify';
import { type AccountCalls, alertChannels } from '../../contract/account';
import { type Db, inTransaction, readNow } from '../../db/client';
import { dcuFromMicro, MICRO_PER_DCU } from '../../dcu';
import type { SmsScene } from '../../drivers/sms/smsSender';
import { lowBalanceText } from '../../locales/alertTexts';
import type { Language } from '../../locales/messages';
import {
  claimDueTexts,
  deleteAlert,
  type StoredAlert,
  selectAlert,
  selectAlertForUpdate,
  selectCandidates,
  updateAlert,
  upsertAlert,
} from './alert.repository';
import { isBelow, nextTry, TEXT_RETRY_MS, watch } from './alert.rules';

type AlertView = AccountCalls['GET /gateway/account/overview']['data']['alert'];
type Wish = AccountCalls['POST /gateway/account/setAlert']['body'];

export interface AlertDeps {
  db: Db;
  metering: { getBalance(memberId: string): Promise<{ postedMicro: bigint; accruedMicro: bigint }> };
  texts: {
    sendToMember(memberId: string, message: { scene: SmsScene; text: string }): Promise<'SENT' | 'NO_BUDGET'>;
  };
  log: FastifyBaseLogger;
}

export type AlertService = ReturnType<typeof createAlertService>;

/** Tells members that their balance fell below what they set: on the page at once, by text if they want. */
export function createAlertService({ db, metering, texts, log }: AlertDeps) {
  async function balanceOf(memberId: string): Promise<bigint> {
    const { postedMicro, accruedMicro } = await metering.getBalance(memberId);
    return postedMicro - accruedMicro;
  }

  async function look(memberId: string): Promise<void> {
    const balance = await balanceOf(memberId);
    await inTransaction(db, async (tx) => {
      const alert = await selectAlertForUpdate(tx, memberId);
      const change = alert && watch(alert, balance, await readNow(tx));
      if (change) await updateAlert(tx, memberId, change);
    });
  }

  /** One text that is due; whether it was sent. One that may have been sent when the gateway ended is sent again: told twice is better than never. */
  async function tell(alert: StoredAlert, at: Date): Promise<boolean> {
    const { memberId, language, thresholdMicro } = alert;
    const retry = { textDueAt: nextTry(alert, at) };
    try {
      const text = lowBalanceText(language, { remainMicro: await balanceOf(memberId), thresholdMicro });
      const outcome = await texts.sendToMember(memberId, { scene: 'lowBalance', text });
      await updateAlert(db, memberId, outcome === 'SENT' ? { textDueAt: null, textSentAt: at } : retry);
      if (outcome === 'NO_BUDGET')
        log.error({ memberId }, 'the daily budget of text messages is spent; a low balance was not told');
      return outcome === 'SENT';
    } catch (err) {
      await updateAlert(db, memberId, retry);
      log.error({ err, memberId }, 'a low balance could not be told by text');
      return false;
    }
  }

  /** What the member set, and whether the balance is below it now; null when nothing is set. */
  async function viewOf(memberId: string, balanceMicro: bigint): Promise<AlertView> {
    const alert = await selectAlert(db, memberId);
    if (!alert) return null;
    const { thresholdMicro, isBySms } = alert;
    return {
      thresholdDcu: dcuFromMicro(thresholdMicro),
      channels: alertChannels.filter((channel) => channel !== 'sms' || isBySms),
      isBelow: isBelow(alert, balanceMicro),
    };
  }

  return {
    viewOf,

    /** Sets the alert anew, or with a threshold of null takes it away. */
    async set(memberId: string, { thresholdDcu, channels }: Wish, language: Language): Promise<AlertView> {
      const balance = await balanceOf(memberId);
      await inTransaction(db, async (tx) => {
        if (thresholdDcu === null) return deleteAlert(tx, memberId);
        const thresholdMicro = BigInt(thresholdDcu) * MICRO_PER_DCU;
        const updatedAt = await readNow(tx);
        return upsertAlert(tx, { memberId, thresholdMicro, isBySms: channels.includes('sms'), language, updatedAt });
      });
      return viewOf(memberId, balance);
    },

    /** Looks at every balance that may have crossed its threshold and sends the texts that are due; how many were sent. */
    async watchAll(): Promise<{ looked: number; texts: number }> {
      const members = await selectCandidates(db);
      for (const memberId of members) {
        try {
          await look(memberId);
        } catch (err) {
          log.error({ err, memberId }, 'a balance could not be watched');
        }
      }
      const at = await readNow(db);
      const due = await claimDueTexts(db, at, new Date(at.getTime() + TEXT_RETRY_MS));
      let sent = 0;
      for (const alert of due) if (await tell(alert, at)) sent += 1;
      return { looked: members.length, texts: sent };
    },
  };
}
