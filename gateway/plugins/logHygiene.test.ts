import { PassThrough } from 'node:stream';
import pino from 'pino';
import { buildApp } from '../app';
import { cookiesAfter, newMobile, PASSWORD, registration, textsTo } from '../domains/user/userWorld';
import { createServices } from '../services';
import { buildTestApp } from '../testing/buildTestApp';
import { createTestClient, type TestReply } from '../testing/testClient';
import { safeLogging } from './logRedaction';

/** A gateway that writes everything it can to a log of its own, which is read once it has closed. */
async function buildLoggingApp() {
  const test = await buildTestApp();
  const stream = new PassThrough();
  const log = pino({ level: 'trace', ...safeLogging }, stream);
  const app = await buildApp(test, createServices(test, log), log);
  async function closeAndRead(): Promise<string> {
    await app.close();
    await test.close();
    return String(stream.read());
  }
  return { test, client: createTestClient(app), closeAndRead };
}

it('signing up and in, rightly and wrongly and with a failing database, leaves no secret in the log', async () => {
  const { test, client, closeAndRead } = await buildLoggingApp();
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

  const written = await closeAndRead();
  expect(failed).toFailWith('INTERNAL');
  expect(written).toContain('"constraint":"broken"');
  expect(written).toContain('wrong secret');
  // As a word of its own: six digits also occur inside instants.
  expect(written).not.toMatch(new RegExp(`\\b${captcha}\\b`));
  for (const hidden of [mobile, mobile.slice(3), PASSWORD, 'wrong-password', secret, 'li.hua@school', '$argon2id']) {
    expect(written).not.toContain(hidden);
  }
});

it('a forgotten and a changed password, a beacon and audit rows that are lost leave no secret in the log', async () => {
  const { test, client, closeAndRead } = await buildLoggingApp();
  const { username, mobile, loginSecret } = await test.buildMember();
  const [NEW, NEWEST, visitId] = ['window river stone 58', 'carpet maple cloud 93', '0190163d-8c5e-7b1a-9f00-5f1d2c3b4a59'];
  await test.pool.query('alter table audit_entry add constraint broken check (code < 0) not valid');

  await client.send('GET /gateway/user/sendVerificationCode', { query: { mobile, scene: 'reset' } });
  const captcha = (await textsTo(test, mobile))[0]?.code ?? '';
  const replies: TestReply[] = [
    await client.send('POST /gateway/user/forgetPassword', { body: { mobile, captcha, password: NEW, confirm: NEW } }),
    await client.send('POST /gateway/user/login', { body: { type: 'password', username, password: NEW } }),
  ];
  const cookie = cookiesAfter(replies[1] ?? { cookies: [] });
  const changed = { oldPassword: NEW, password: NEWEST, confirm: NEWEST };
  replies.push(
    await client.send('POST /gateway/user/changePassword', { body: changed, headers: { cookie } }),
    await client.send('POST /gateway/track/events', {
      body: { visitId, events: [{ kind: 'pageView', agoMs: 0, route: '/login' }] },
    }),
  );
  const written = await closeAndRead();

  expect(replies.map(({ envelope }) => envelope.code)).toEqual([0, 0, 0, 0]);
  expect(written.match(/an audit entry was not written/g)).toHaveLength(4);
  expect(written).not.toMatch(new RegExp(`\\b${captcha}\\b`));
  const secrets = replies.flatMap(({ cookies }) =>
    cookies.filter(({ name, value }) => name === 'atelier' && value).map(({ value }) => value),
  );
  expect(secrets.length).toBeGreaterThan(0);
  for (const hidden of [mobile, mobile.slice(3), NEW, NEWEST, loginSecret, visitId, '$argon2id', ...secrets]) {
    expect(written).not.toContain(hidden);
  }
});
