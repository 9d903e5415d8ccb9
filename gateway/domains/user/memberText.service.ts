import { type Db, inTransaction } from '../../db/client';
import type { SmsScene, SmsSender } from '../../drivers/sms/smsSender';
import { getMember } from './user.repository';
import { spendBudget } from './verificationCode.repository';

interface Text {
  scene: SmsScene;
  text: string;
}

export type MemberTexts = ReturnType<typeof createMemberTexts>;

/** Text messages that carry no code, within the day's budget. Both reject when the provider did not take the message. */
export function createMemberTexts({ db, sms, smsDailyBudget }: { db: Db; sms: SmsSender; smsDailyBudget: number }) {
  async function send(mobile: string, { scene, text }: Text): Promise<'SENT' | 'NO_BUDGET'> {
    if (!(await inTransaction(db, (tx) => spendBudget(tx, smsDailyBudget)))) return 'NO_BUDGET';
    await sms.send({ to: mobile, scene, text, code: null });
    return 'SENT';
  }
  return {
    send,
    async sendToMember(memberId: string, text: Text): Promise<'SENT' | 'NO_BUDGET'> {
      return send((await getMember(db, memberId)).mobile, text);
    },
  };
}
