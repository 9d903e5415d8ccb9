import type { captchaScenes } from '../../contract/user';

export type CaptchaScene = (typeof captchaScenes)[number];
/** What a text is about: one of the scenes of a code, or word of something that was done. */
export type SmsScene = CaptchaScene | 'passwordChanged' | 'lowBalance';

/** One text message; `to` is E.164, `code` the digits the text carries, null when it carries none. */
export interface SmsMessage {
  to: string;
  scene: SmsScene;
  text: string;
  code: string | null;
}

/**
 * Delivers text messages. Every driver passes `smsSender.suite.ts`.
 * `send` resolves once the provider has taken the message and rejects when it has not; the caller then tells the member to try again.
 */
export interface SmsSender {
  send(message: SmsMessage): Promise<void>;
  /** Forgets what may not be kept any longer; returns how many messages that were. */
  purge(): Promise<number>;
}
