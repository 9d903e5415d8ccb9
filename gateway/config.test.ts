import { ConfigError, readConfig } from './config';
import { isOwnRequest } from './plugins/crossSite';

const production = { NODE_ENV: 'production', DATABASE_URL: 'postgresql://localhost/atelier', ALLOW_OUTBOX: '1' };

/** The sentence that stops the start; fails when it does not. */
function refusal(env: NodeJS.ProcessEnv): string {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('accepted');
}

describe('the settings of where the gateway listens', () => {
  it.each([
    [{}, 'http://127.0.0.1:8000'],
    [{ HOST: '::1' }, 'http://[::1]:8000'],
    [{ HOST: '::' }, 'http://[::]:8000'],
    [{ HOST: '2001:DB8::1', PORT: '9000' }, 'http://[2001:db8::1]:9000'],
    [{ HOST: 'Atelier.example', PORT: '80' }, 'http://atelier.example'],
  ])('make the origin browsers see: %j → %s', (env, publicUrl) => {
    expect(readConfig(env).publicUrl).toBe(publicUrl);
  });

  it('let the pages of a gateway on IPv6 act', () => {
    const config = readConfig({ HOST: '::1' });

    expect(isOwnRequest({ host: '[::1]:8000', origin: 'http://[::1]:8000', cookie: 'a=b' }, config)).toBe(true);
    expect(isOwnRequest({ host: '[::1]:8000', origin: 'http://elsewhere.example', cookie: 'a=b' }, config)).toBe(false);
  });

  it.each(['[::1]', 'a b', ' ', 'http://localhost', '127.0.0.1:80', '999.1.1.1', 'fe80::1%eth0', '-a'])(
    'refuse HOST=%s',
    (host) => {
      expect(refusal({ HOST: host })).toBe(`HOST is ${host}; it must be a host name or an IP address.`);
    },
  );

  it('know IPv6 loopback in production', () => {
    expect(readConfig({ ...production, HOST: '::1' }).publicUrl).toBe('http://[::1]:8000');
    expect(refusal({ ...production, HOST: '::' })).toMatch(/^PUBLIC_URL is plain http beyond loopback/);
  });
});
