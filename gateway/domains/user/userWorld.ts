import { randomInt } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LightMyRequestResponse } from 'fastify';
import type { CaptchaScene, SmsScene } from '../../drivers/sms/smsSender';
import type { TestApp } from '../../testing/buildTestApp';
import type { TestReply } from '../../testing/testClient';

export const PASSWORD = 'bench lamp shelf 42';

export interface OutboxMessage {
  channel: string;
  to: string;
  scene: SmsScene;
  text: string;
  code: string | null;
  at: string;
}

/** Every text to a number, oldest first. */
export async function textsTo(app: TestApp, mobile: string): Promise<OutboxMessage[]> {
  const folder = join(app.config.dataDir, 'outbox');
  // A text on its way to another number still carries its passing name.
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json'));
  const messages = await Promise.all(
    names.sort().map(async (name): Promise<OutboxMessage> => JSON.parse(await readFile(join(folder, name), 'utf8'))),
  );
  return messages.filter((message) => message.to === mobile);
}

/** A Chinese mobile number in E.164 that nobody has. */
export function newMobile(): string {
  return `+86138${String(randomInt(100_000_000)).padStart(8, '0')}`;
}

export function newUsername(): string {
  return `student-${randomInt(1e12)}`;
}

/** Asks for a code and reads it from the outbox. */
export async function codeFor(app: TestApp, mobile: string, scene: CaptchaScene): Promise<string> {
  const before = (await textsTo(app, mobile)).length;
  const reply = await app.as(null).send('GET /gateway/user/sendVerificationCode', { query: { mobile, scene } });
  if (!reply.envelope.success) throw new Error(`no code was sent: ${JSON.stringify(reply.envelope)}`);
  const code = (await textsTo(app, mobile)).slice(before)[0]?.code;
  if (!code) throw new Error('the text carries no code');
  return code;
}

/** A code that is not this one. */
export function wrong(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, '0');
}

export function registration(mobile: string, captcha: string, username = newUsername()) {
  return { username, password: PASSWORD, confirm: PASSWORD, mobile, captcha };
}

/** The Cookie header a browser would send after this answer. */
export function cookiesAfter(reply: Pick<TestReply | LightMyRequestResponse, 'cookies'>): string {
  return reply.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
}
