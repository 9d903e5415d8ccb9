import { buildTestApp, type TestApp } from '../testing/buildTestApp';
import type { TestMember } from '../testing/factories';

describe('a call made with a member’s cookies by', () => {
  let test: TestApp;
  let member: TestMember;
  beforeAll(async () => {
    test = await buildTestApp();
    member = await test.buildMember();
  });
  afterAll(() => test.close());

  const send = (key: string, headers: Record<string, string>, payload = '{}') => {
    const cookie = `sessionId=${member.loginSessionId}; atelier=${member.loginSecret}`;
    return test.app.inject({ method: 'POST', url: key.split(' ')[1] ?? '', headers: { cookie, ...headers }, payload });
  };

  it.each(['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain', 'application/json-patch+json'])(
    'our own page as %s is not read',
    async (type) => {
      const reply = await send('POST /gateway/user/login', { 'sec-fetch-site': 'same-origin', 'content-type': type }, 'a=b');

      expect([reply.statusCode, reply.json().code]).toEqual([415, 20015]);
    },
  );

  it('our own page is heard', async () => {
    const reply = await send(
      'POST /gateway/user/logout',
      { origin: 'http://127.0.0.1:8000', 'content-type': 'application/json' },
      '',
    );

    expect(reply.json()).toMatchObject({ success: true, code: 0 });
  });
});
