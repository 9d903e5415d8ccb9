import { PassThrough } from 'node:stream';
import pino from 'pino';
import { buildApp } from '../app';
import { newMobile, PASSWORD, registration, textsTo } from '../domains/user/userWorld';
import { createServices } from '../services';
import { buildTestApp } from '../testing/buildTestApp';
import { createTestClient } from '../testing/testClient';
import { safeLogging } from './logRedaction';

it('signing up and in, rightly and wrongly and with a failing database, leaves no secret in the log', async () => {
  const test = await buildTestApp();
  const stream = new PassThrough();
  const log = pino({ level: 'trace', ...safeLogging }, stream);
  const app = await buildApp(test, createServices(test, log), log);
  const client = createTestClient(app);
  const mobile = newMobile();

  await client.send('GET /gateway/user/sendVerificationCode', { query: { mobile, scene: 'register' } });
  const captcha = (await textsTo(test, mobile))[0]?.code ?? '';
  const body = { ...registration(mobile, captcha), email: 'li.hua@school.edu.cn' };
  await test.pool.query('alter table member add constraint broken check (email is null)');
  const failed = await client.send('POST /gateway/user/register', { body });
  await test.pool.query('alter table member drop constraint broken');
  const signedUp = await client.send('POST /gateway/user/register', { body });
  const secret = signedUp.cookies[1]?.value ?? '';
  const cookie = `sessionId=${signedUp.data.sessionId}; atelier=${secret}`;
  await client.send('GET /gateway/user/getUserBySession', { headers: { cookie: `${cookie}x` } });
  await client.send('POST /gateway/user/login', {
    body: { type: 'password', username: body.username, password: 'wrong-password' },
  });
  await client.send('POST /gateway/user/logout', { headers: { cookie } });
  await app.close();
  await test.close();

  const written = String(stream.read());
  expect(failed).toFailWith('INTERNAL');
  expect(written).toContain('"constraint":"broken"');
  expect(written).toContain('wrong secret');
  // As a word of its own: six digits also occur inside instants.
  expect(written).not.toMatch(new RegExp(`\\b${captcha}\\b`));
  for (const hidden of [mobile, mobile.slice(3), PASSWORD, 'wrong-password', secret, 'li.hua@school', '$argon2id']) {
    expect(written).not.toContain(hidden);
  }
});
