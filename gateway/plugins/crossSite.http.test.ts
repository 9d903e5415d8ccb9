import { calls } from '../contract/calls';
import { buildTestApp, type TestApp } from '../testing/buildTestApp';
import type { TestMember } from '../testing/factories';

/** What a browser led by another site can make of a call; `own` is the console's origin. */
const shapes: Record<string, Record<string, string>> = {
  'a form of another site': {
    'content-type': 'application/x-www-form-urlencoded',
    origin: 'https://evil.example',
    'sec-fetch-site': 'cross-site',
  },
  'text/plain of another site': { 'content-type': 'text/plain', origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
  'JSON of another site': { 'content-type': 'application/json', origin: 'https://evil.example' },
  'a sibling domain': { 'content-type': 'application/json', origin: 'https://lab.atelier.example', 'sec-fetch-site': 'same-site' },
  'a sandboxed frame': { 'content-type': 'application/json', origin: 'null' },
  'another port of this machine': { 'content-type': 'application/json', origin: 'http://localhost:8001', host: '127.0.0.1:8000' },
  'another page by its Referer': { 'content-type': 'application/json', referer: 'https://evil.example/page' },
  'nobody knows whom': { 'content-type': 'application/json' },
};

const posts = Object.keys(calls).filter((key) => key.startsWith('POST '));

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

  it.each(Object.entries(shapes))('%s is refused, whatever the call', async (_who, headers) => {
    const replies = await Promise.all(posts.map((key) => send(key, headers)));

    expect(replies.map((reply) => [reply.statusCode, reply.json().code])).toEqual(posts.map(() => [403, 20003]));
    expect(await test.services.loginSessions.isActive(member.loginSessionId)).toBe(true);
  });

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
