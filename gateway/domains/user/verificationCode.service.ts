import { createHmac, randomInt } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { limits } from '../../contract/limits';
import { type Db, inTransaction, readNow, type Tx } from '../../db/client';
import type { CaptchaScene, SmsSender } from '../../drivers/sms/smsSender';
import type { Language } from '../../locales/messages';
import { Refusal } from '../../refusal';
import { smsText } from './smsTexts';
import * as repository from './verificationCode.repository';
import { type CodeText, waitBeforeSendingMs } from './verificationCode.rules';

export interface CodeRequest {
  mobile: string;
  scene: CaptchaScene;
  kind: CodeText;
  language: Language;
  /** The address it is stored under. */
  ip: string;
  /** False where addresses say nothing about who asks. */
  isIpLimited: boolean;
}

export interface VerificationCodeDeps {
  db: Db;
  installation: { hmacKey: Buffer };
  sms: SmsSender;
  smsDailyBudget: number;
  log: FastifyBaseLogger;
}

export type VerificationCodeService = ReturnType<typeof createVerificationCodeService>;

/** Six-digit codes by text message, bound to a number and a scene; every limit on them lives in the database. */
export function createVerificationCodeService({ db, installation, sms, smsDailyBudget, log }: VerificationCodeDeps) {
  const hashOf = (mobile: string, scene: CaptchaScene, code: string) =>
    createHmac('sha256', installation.hmacKey).update(`code\0${scene}\0${mobile}\0${code}`).digest();

  async function admit(tx: Tx, request: CodeRequest, codeHash: Buffer): Promise<string> {
    const { mobile, scene, ip, isIpLimited } = request;
    await repository.lockSends(tx, ip, mobile);
    const sends = await repository.findSends(tx, mobile, isIpLimited ? ip : null);
    const waitMs = waitBeforeSendingMs(await readNow(tx), sends.toNumber, sends.fromIp);
    if (waitMs > 0) throw tooSoon(waitMs);
    if (!(await repository.spendBudget(tx, smsDailyBudget))) {
      log.error({ smsDailyBudget }, 'the daily budget of text messages is spent; no more codes are sent today');
      throw new Refusal('UNAVAILABLE', { retryAfterSeconds: 3600 });
    }
    return repository.replaceCode(tx, { mobile, scene, codeHash, ip });
  }

  return {
    /**
     * Sends a new code and voids the one before. Refuses with `CAPTCHA_TOO_SOON` (1 a minute, 5 an hour, 10 a day for a number; 10 an
     * hour for an address) and `UNAVAILABLE` (budget spent, or the text could not be sent: then it does not count).
     */
    async sendCode(request: CodeRequest): Promise<{ cooldownSeconds: number }> {
      const { mobile, scene, kind, language } = request;
      const code = String(randomInt(10 ** limits.captcha.digits)).padStart(limits.captcha.digits, '0');
      const id = await inTransaction(db, (tx) => admit(tx, request, hashOf(mobile, scene, code)));
      try {
        await sms.send({ to: mobile, scene, text: smsText(kind, code, scene, language), code: kind === 'noAccount' ? null : code });
      } catch (error) {
        log.error({ err: error, scene }, 'a text message could not be sent');
        await repository.deleteCode(db, id);
        throw new Refusal('UNAVAILABLE', { retryAfterSeconds: 5 });
      }
      return { cooldownSeconds: limits.captcha.cooldownSeconds };
    },

    isCodeInForce: (mobile: string, scene: CaptchaScene) => repository.isCodeInForce(db, mobile, scene),

    /**
     * Tries a code. A wrong one must still be counted: let the caller's transaction commit on `false` and refuse afterwards. A
     * right one is used up only if that transaction commits.
     */
    tryCode: (tx: Tx, mobile: string, scene: CaptchaScene, code: string) =>
      repository.tryCode(tx, mobile, scene, hashOf(mobile, scene, code)),

    deleteOldCodes: () => repository.deleteOldCodes(db),
  };
}

function tooSoon(waitMs: number): Refusal {
  const seconds = Math.ceil(waitMs / 1000);
  return new Refusal('CAPTCHA_TOO_SOON', { params: { seconds }, data: { retryAfterSeconds: seconds }, retryAfterSeconds: seconds });
}
