import Fastify from 'fastify';
import { isUnsandboxedAllowed } from './chooseEngine';
import { ConfigError, readConfig } from './config';
import { isOwnRequest } from './plugins/crossSite';

const production = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgresql://localhost/atelier',
  ALLOW_OUTBOX: '1',
  ALLOW_SANDBOX_PAYMENT: '1',
};

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

it('ends the gateway on purpose in tests alone, and only where that has a name', () => {
  expect(readConfig({}).failpoint).toBeNull();
  expect(readConfig({ NODE_ENV: 'test', FAILPOINT: 'order.place.written' }).failpoint).toBe('order.place.written');
  expect(refusal({ FAILPOINT: 'order.place.written' })).toMatch(/^FAILPOINT ends the gateway on purpose/);
  expect(refusal({ ...production, FAILPOINT: 'order.place.written' })).toMatch(/^FAILPOINT ends the gateway on purpose/);
  expect(refusal({ NODE_ENV: 'test', FAILPOINT: 'order.lost' })).toMatch(/^FAILPOINT is order\.lost; it must be one of /);
});

describe('a setting that cannot be used stops the start with its name', () => {
  it.each([
    ['PORT', ' '],
    ['PORT', '1e3'],
    ['PORT', '0x50'],
    ['PORT', '-1'],
    ['PORT', '65536'],
    ['REQUESTS_PER_SECOND', ' '],
    ['REQUESTS_PER_SECOND', '1.5'],
    ['SMS_DAILY_BUDGET', 'many'],
    ['NODE_ENV', 'prod'],
    ['STORAGE', 's3'],
    ['SMS', 'twilio'],
    ['MAIL', 'smtp'],
    ['PAYMENT', 'alipay'],
    ['LOG_LEVEL', 'loud'],
    ['DOCS_URL', 'javascript:alert(1)'],
    ['DOCS_URL', '//elsewhere.example/'],
    ['DOCS_URL', '/\\\\elsewhere.example/'],
    ['DOCS_URL', 'docs'],
    ['EDITOR_EXTENSION_URL', 'ftp://elsewhere.example/'],
  ])('%s=%j', (name, value) => {
    expect(refusal({ [name]: value })).toMatch(new RegExp(`^${name} is .*; it must be .*\\.$`));
  });

  it.each(['APPS_URL', 'PUBLIC_URL', 'STATIC_HOST'])('%s=nowhere', (name) => {
    expect(refusal({ [name]: 'nowhere' })).toBe(`${name} is not a http or https address.`);
  });

  it.each(['garbage', '10.0.0.0/33', '10.0.0.0/0', '::1/129', '10.0.0.0/8/8', '10.0.0.1 10.0.0.2', '127.0.0.1,proxy'])(
    'TRUSTED_PROXIES=%s',
    (value) => {
      expect(refusal({ TRUSTED_PROXIES: value })).toMatch(/^TRUSTED_PROXIES has .*; it must be IP addresses or ranges .*\.$/);
    },
  );
});

describe('the sockets of a container engine', () => {
  const socketsOf = (env: NodeJS.ProcessEnv) => readConfig({ COMPUTE_ENGINE: 'container', ...env }).containerSockets;

  it('are where Docker and Podman put them, those of whoever runs the gateway before the machine’s Podman', () => {
    expect(socketsOf({ XDG_RUNTIME_DIR: '/run/user/7' })).toEqual([
      '/var/run/docker.sock',
      '/run/user/7/podman/podman.sock',
      '/run/user/7/docker.sock',
      '/run/podman/podman.sock',
    ]);
    expect(socketsOf({})).toEqual(['/var/run/docker.sock', '/run/podman/podman.sock']);
  });

  it('are the one that DOCKER_HOST names', () => {
    expect(socketsOf({ DOCKER_HOST: 'unix:///tmp/own.sock', XDG_RUNTIME_DIR: '/run/user/7' })).toEqual(['/tmp/own.sock']);
  });

  it('must be on this machine, where the homes are; other engines do not care', () => {
    expect(() => socketsOf({ DOCKER_HOST: 'tcp://10.0.0.1:2375' })).toThrow(/^DOCKER_HOST is tcp:.* must be unix:/);
    expect(readConfig({ DOCKER_HOST: 'tcp://10.0.0.1:2375' }).containerSockets).toEqual([]);
  });
});

describe('a setting that can be used', () => {
  it('may name the one driver there is', () => {
    const named = { STORAGE: 'local', SMS: 'outbox', MAIL: 'outbox', PAYMENT: 'sandbox', APPS_URL: 'https://apps.example' };

    expect(readConfig(named)).toEqual(readConfig({}));
  });

  it('takes links within the console and elsewhere', () => {
    const { docsUrl, editorExtensionUrl } = readConfig({ DOCS_URL: '/help/', EDITOR_EXTENSION_URL: 'https://Editor.example' });

    expect([docsUrl, editorExtensionUrl]).toEqual(['/help/', 'https://editor.example/']);
  });

  it.each(['127.0.0.1', '::1, 10.0.0.0/8', '::ffff:10.0.0.1', 'fd00::/8', 'loopback,linklocal,uniquelocal', '::ffff:10.0.0.0/104'])(
    'TRUSTED_PROXIES=%s is understood by the server too',
    (value) => {
      const { trustedProxies } = readConfig({ TRUSTED_PROXIES: value });

      expect(() => Fastify({ trustProxy: trustedProxies })).not.toThrow();
    },
  );
});

describe('production', () => {
  it('has real labs unless simulated ones are allowed by name', () => {
    const simulated = { ...production, COMPUTE_ENGINE: 'simulated' };

    expect(refusal(simulated)).toMatch(/^In production labs must be real; .* ALLOW_SIMULATED_ENGINE=1\.$/);
    expect(readConfig({ ...simulated, ALLOW_SIMULATED_ENGINE: '1' }).computeEngine).toBe('simulated');
  });

  it('takes no payment of the sandbox, named or not, unless it is allowed by name', () => {
    const { ALLOW_SANDBOX_PAYMENT: _, ...real } = production;

    for (const env of [real, { ...real, PAYMENT: 'sandbox' }]) {
      expect(refusal(env)).toMatch(/^In production anybody could pay with the payment sandbox, .* ALLOW_SANDBOX_PAYMENT=1\.$/);
    }
    expect(readConfig({ ...production, PAYMENT: 'sandbox' }).isProduction).toBe(true);
    expect(readConfig({ PAYMENT: 'sandbox' })).toEqual(readConfig({}));
  });

  it.each([
    ['tried out alone on this machine', {}, true, true],
    ['tried out with others', {}, false, false],
    ['tried out beyond this machine', { HOST: '0.0.0.0' }, true, false],
    ['in production', production, true, false],
    ['in production, by name', { ...production, COMPUTE_ALLOW_UNSANDBOXED: '1' }, false, true],
  ])('runs labs without a sandbox when %s', async (_when, env, isAlone, isAllowed) => {
    expect(await isUnsandboxedAllowed(readConfig(env), async () => isAlone)).toBe(isAllowed);
  });
});

describe('the settings of Harbor', () => {
  const whole = { HARBOR_URL: 'https://harbor.example/', HARBOR_USERNAME: 'robot', HARBOR_PASSWORD: 'hush' };

  it('are none, or all of them', () => {
    expect(readConfig({}).harbor).toBeNull();
    expect(readConfig(whole).harbor).toEqual({
      url: 'https://harbor.example',
      username: 'robot',
      password: 'hush',
      projectPrefix: 'atelier',
    });
    expect(readConfig({ ...whole, HARBOR_PROJECT: 'campus.one' }).harbor?.projectPrefix).toBe('campus.one');
  });

  it.each([
    [{ ...whole, HARBOR_URL: 'harbor.example' }, 'HARBOR_URL'],
    [{ ...whole, HARBOR_PASSWORD: '' }, 'HARBOR_PASSWORD'],
    [{ ...whole, HARBOR_PROJECT: 'Upper Case' }, 'HARBOR_PROJECT'],
  ])('are refused by name when they cannot be used: %j', (env, name) => {
    expect(refusal(env)).toContain(name);
  });
});
