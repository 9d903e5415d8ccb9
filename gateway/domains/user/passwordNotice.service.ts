import type { FastifyBaseLogger } from 'fastify';
import type { Language } from '../../locales/messages';
import type { MemberTexts } from './memberText.service';
import { passwordChangedText } from './smsTexts';

export type PasswordNotice = ReturnType<typeof createPasswordNotice>;

/**
 * Tells the owner by text that the password was changed. The change stands already: a text that cannot be sent, or that today's budget
 * does not pay for, is logged and fails nothing.
 */
export function createPasswordNotice({ texts, log }: { texts: Pick<MemberTexts, 'send'>; log: FastifyBaseLogger }) {
  return async (mobile: string, language: Language): Promise<void> => {
    try {
      const outcome = await texts.send(mobile, { scene: 'passwordChanged', text: passwordChangedText(language) });
      if (outcome === 'NO_BUDGET')
        log.error('the daily budget of text messages is spent; a member was not told of a changed password');
    } catch (err) {
      log.error({ err }, 'a member could not be told of a changed password');
    }
  };
}
