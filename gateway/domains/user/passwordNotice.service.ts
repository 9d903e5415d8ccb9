import type { FastifyBaseLogger } from 'fastify';
import { type Db, inTransaction } from '../../db/client';
import type { SmsSender } from '../../drivers/sms/smsSender';
import type { Language } from '../../locales/messages';
import { passwordChangedText } from './smsTexts';
import { spendBudget } from './verificationCode.repository';

export type PasswordNotice = ReturnType<typeof createPasswordNotice>;

/**
 * Tells the owner by text that the password was changed. The change stands already: a text that cannot be sent, or that today's budget
 * does not pay for, is logged and fails nothing.
 */
export function createPasswordNotice(deps: { db: Db; sms: SmsSender; smsDailyBudget: number; log: FastifyBaseLogger }) {
  const { db, sms, smsDailyBudget, log } = deps;
  return async (mobile: string, language: Language): Promise<void> => {
    try {
      if (await inTransaction(db, (tx) => spendBudget(tx, smsDailyBudget))) {
        await sms.send({ to: mobile, scene: 'passwordChanged', text: passwordChangedText(language), code: null });
      } else {
        log.error({ smsDailyBudget }, 'the daily budget of text messages is spent; a member was not told of a changed password');
      }
    } catch (err) {
      log.error({ err }, 'a member could not be told of a changed password');
    }
  };
}
