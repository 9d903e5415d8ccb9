import { limits } from '../../contract/limits';
import type { CaptchaScene } from '../../drivers/sms/smsSender';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** At most this many texts an hour are asked for from one address, whatever the numbers. */
export const CODES_PER_IP_AND_HOUR = 10;

/** How far back sends must be known to judge a new one. */
export const SENDS_LOOKED_AT = limits.captcha.perDay;

/**
 * Milliseconds until another code may be sent, 0 for now. Both lists hold the instants of earlier sends, latest first: to the
 * number within a day, from the address within an hour.
 */
export function waitBeforeSendingMs(now: Date, toNumber: readonly Date[], fromIp: readonly Date[]): number {
  const { cooldownSeconds, perHour, perDay } = limits.captcha;
  const waits = [
    endOf(toNumber[0], cooldownSeconds * 1000),
    endOf(toNumber[perHour - 1], HOUR_MS),
    endOf(toNumber[perDay - 1], DAY_MS),
    endOf(fromIp[CODES_PER_IP_AND_HOUR - 1], HOUR_MS),
  ];
  return Math.max(0, ...waits.map((end) => end - now.getTime()));
}

function endOf(sentAt: Date | undefined, windowMs: number): number {
  return sentAt ? sentAt.getTime() + windowMs : 0;
}

/** What the text says: the code, the code with word that the number already has an account, or that it has none (and no code). */
export type CodeText = 'code' | 'taken' | 'noAccount';

/**
 * Every request sends exactly one text, so that neither the answer nor its timing tells whether a number has an account; only
 * whoever holds the phone learns it.
 */
export function codeTextFor(scene: CaptchaScene, hasAccount: boolean): CodeText {
  if (scene === 'register' || scene === 'changeMobile') return hasAccount ? 'taken' : 'code';
  if (scene === 'reset') return hasAccount ? 'code' : 'noAccount';
  return 'code';
}

/** Scenes that change an account and therefore need its owner signed in before a text is sent. */
export function needsSignIn(scene: CaptchaScene): boolean {
  return scene === 'changeMobile' || scene === 'closeAccount';
}
