import { PassThrough } from 'node:stream';
import pino from 'pino';
import { safeLogging } from './logRedaction';

const SECRETS = ['Learn-by-doing-7', '482915', '13800138000', 'a@school.edu.cn', 'session-secret-value', 'Bearer-abc'];
const [password, code, mobile, email, cookie, authorization] = SECRETS;

function logged(write: (log: pino.Logger) => void): string {
  const stream = new PassThrough();
  write(pino({ level: 'trace', ...safeLogging }, stream));
  return String(stream.read());
}

describe('the log', () => {
  it('keeps secrets out of the fields of an entry and of the objects in it', () => {
    const secrets = { password, code, mobile, email, cookie, authorization, captcha: code, mobilePhone: mobile, secret: cookie };

    const text = logged((log) =>
      log.info({ ...secrets, body: secrets, headers: { cookie, authorization, 'set-cookie': cookie } }, 'x'),
    );

    for (const secret of SECRETS) expect(text).not.toContain(secret);
    expect(text).toContain('[redacted]');
  });

  it('writes a request without its query and its headers', () => {
    const url = `/gateway/user/sendVerificationCode?mobile=${mobile}&scene=login`;

    const text = logged((log) => log.info({ req: { method: 'GET', url, ip: '203.0.113.7', headers: { cookie } } }, 'request'));

    expect(JSON.parse(text).req).toEqual({ method: 'GET', url: '/gateway/user/sendVerificationCode', ip: '203.0.113.7' });
  });

  it('writes a database error without the row it quotes', () => {
    const error = Object.assign(new Error('duplicate key value violates unique constraint "member_mobile_key"'), {
      code: '23505',
      constraint: 'member_mobile_key',
      detail: `Key (mobile)=(${mobile}) already exists.`,
      parameters: [password],
    });

    const text = logged((log) => log.error({ err: new Error('outer', { cause: error }) }, 'failed'));

    for (const secret of SECRETS) expect(text).not.toContain(secret);
    expect(JSON.parse(text).err.cause).toMatchObject({ state: '23505', constraint: 'member_mobile_key' });
  });
});
