import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { buildTestApp, type TestApp } from '../testing/buildTestApp';

describe('the envelope of what never reaches a call', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await buildTestApp();
    await test.app.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(() => test.close());

  /** What the gateway answers to these bytes, until it closes the connection. */
  async function answerTo(bytes: string): Promise<{ head: string; envelope: unknown }> {
    const { port } = test.app.server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    socket.setEncoding('utf8').on('data', (text) => {
      answer += text;
    });
    socket.write(bytes);
    await once(socket, 'close');
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    return { head, envelope: JSON.parse(body) };
  }

  const INVALID = { success: false, code: 20001, msg: expect.any(String), traceId: expect.stringMatching(/^[0-9a-f-]{36}$/) };

  it('holds for a path that cannot be decoded', async () => {
    const reply = await test.app.inject({ url: '/gateway/%E0%A4%A', headers: { 'accept-language': 'en' } });

    expect(reply.statusCode).toBe(400);
    expect(reply.json()).toMatchObject({ ...INVALID, data: { fields: [{ field: 'path' }] } });
  });

  it.each([
    [{}, '不能缺少', 'is missing'],
    [{ type: 'face' }, '应为以下之一：password, mobile', 'must be one of password, mobile'],
    [{ type: 'mobile', username: '' }, '至少需要 1 个字符', 'must have at least 1 characters'],
    [{ type: 'mobile', mobile: 'abcdef' }, '格式不正确', 'does not have the right form'],
    [{ type: 'mobile', keepSignedIn: 1 }, '类型应为 boolean', 'must be of type boolean'],
    [{ type: 'mobile', price: 0 }, '不是已知字段', 'is not a known field'],
    [{ type: 'mobile', username: '\u0000' }, '不能包含不可显示的字符', 'must not have unprintable characters'],
  ])('words what is wrong with %j in the member’s language', async (body, chinese, english) => {
    for (const [language, problem] of [
      ['zh-CN', chinese],
      ['en-US', english],
    ] as const) {
      const headers = { 'accept-language': language };
      const reply = await test.as(null).send('POST /gateway/user/login', { body, headers });

      expect(reply).toFailWith('INVALID_INPUT');
      expect(reply.envelope.data).toMatchObject({ fields: [{ message: problem }] });
      expect(reply.envelope.msg).toContain(problem);
    }
  });

  it.each([
    ['no HTTP', 'HELLO\r\n\r\n'],
    ['headers larger than any', `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(100_000)}\r\n\r\n`],
    ['a body of no length', 'POST /gateway/user/logout HTTP/1.1\r\nHost: x\r\nContent-Length: many\r\n\r\n'],
  ])('holds for %s', async (_what, bytes) => {
    const { head, envelope } = await answerTo(bytes);

    expect(head).toMatch(/^HTTP\/1\.1 400 /);
    expect(envelope).toMatchObject({ ...INVALID, data: { fields: [{ field: 'request' }] } });
  });
});
