import { isIP } from 'node:net';
import { resolve } from 'node:path';
import type { EngineKind } from './drivers/compute/computeEngine';
import { type FailpointName, failpointNames } from './failpoint';

/** Everything the operator can set; this file is the only reader of the environment. */
export interface Config {
  host: string;
  port: number;
  dataDir: string;
  /** Null: the embedded PostgreSQL under `dataDir`. */
  databaseUrl: string | null;
  computeEngine: EngineKind;
  isUnsandboxedAllowed: boolean;
  /** Sockets behind which a container engine may listen, the likeliest first. */
  containerSockets: readonly string[];
  /** The console's own origin, as browsers see it. */
  publicUrl: string;
  /** Origin (and path prefix) the console's static files come from; empty: the gateway itself. */
  staticHost: string;
  docsUrl: string;
  editorExtensionUrl: string;
  demoPassword: string | null;
  /** Addresses (or CIDR ranges) of reverse proxies whose X-Forwarded-For is believed; without one every request has its socket's address. */
  trustedProxies: string[];
  /** Requests a second a member (or a visitor's address) may make, three times that in a burst; 0 switches it off. */
  requestsPerSecond: number;
  /** Text messages with codes a day over all numbers, beyond which none is sent. */
  smsDailyBudget: number;
  /** Whether the usage tracker is served and what it tells is kept. */
  isTrackerOn: boolean;
  isProduction: boolean;
  logLevel: LogLevel;
  /** The Harbor where members push and pull container images; null where this installation has none. */
  harbor: { url: string; username: string; password: string; projectPrefix: string } | null;
  /** Where a test's gateway is to die; null everywhere else. */
  failpoint: FailpointName | null;
}

const engines = ['process', 'container', 'simulated'] as const satisfies readonly EngineKind[];
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const;
type LogLevel = (typeof logLevels)[number];
const proxyNames = ['loopback', 'linklocal', 'uniquelocal'] as const;

/** A setting that cannot be used; its message is the one sentence the operator reads. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Reads and checks the environment. Throws `ConfigError` naming the variable and what it may be. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const host = readHost(env.HOST);
  const port = readPort(env.PORT);
  const isProduction = readOneOf('NODE_ENV', env.NODE_ENV, ['production', 'development', 'test'], 'development') === 'production';
  const databaseUrl = env.DATABASE_URL ? readUrl('DATABASE_URL', env.DATABASE_URL, ['postgres:', 'postgresql:']) : null;
  const computeEngine = readOneOf('COMPUTE_ENGINE', env.COMPUTE_ENGINE, engines, 'process');
  const config: Config = {
    host,
    port,
    dataDir: resolve(env.DATA_DIR || '.data'),
    databaseUrl,
    computeEngine,
    containerSockets: computeEngine === 'container' ? readContainerSockets(env) : [],
    isUnsandboxedAllowed: readFlag('COMPUTE_ALLOW_UNSANDBOXED', env.COMPUTE_ALLOW_UNSANDBOXED),
    publicUrl: env.PUBLIC_URL
      ? new URL(readUrl('PUBLIC_URL', env.PUBLIC_URL, ['http:', 'https:'])).origin
      : new URL(httpAddress(host, port)).origin,
    staticHost: env.STATIC_HOST ? readUrl('STATIC_HOST', env.STATIC_HOST, ['http:', 'https:']).replace(/\/+$/, '') : '',
    docsUrl: readLink('DOCS_URL', env.DOCS_URL, '/docs/'),
    editorExtensionUrl: readLink('EDITOR_EXTENSION_URL', env.EDITOR_EXTENSION_URL, '/docs/editor-extension/'),
    demoPassword: env.DEMO_PASSWORD || null,
    trustedProxies: readProxies(env.TRUSTED_PROXIES),
    requestsPerSecond: readCount('REQUESTS_PER_SECOND', env.REQUESTS_PER_SECOND, 20),
    smsDailyBudget: readCount('SMS_DAILY_BUDGET', env.SMS_DAILY_BUDGET, 2_000),
    isTrackerOn: readOneOf('TRACKER', env.TRACKER, ['on', 'off'], 'on') === 'on',
    isProduction,
    logLevel: readOneOf('LOG_LEVEL', env.LOG_LEVEL, logLevels, 'info'),
    harbor: readHarbor(env),
    failpoint: readFailpoint(env),
  };
  refuseUnbuilt(env);
  refuseUnsafe(config, env);
  return config;
}

/** As the tools of Docker and Podman find them. Homes are folders of this machine, so its daemon must run on it, too. */
function readContainerSockets({ DOCKER_HOST: named, XDG_RUNTIME_DIR: runtime }: NodeJS.ProcessEnv): string[] {
  if (named && !/^unix:\/\/\/[^\0]+$/.test(named))
    throw new ConfigError(`DOCKER_HOST is ${named}; it must be unix:// and the absolute path of a socket on this machine.`);
  if (named) return [named.slice('unix://'.length)];
  const own = runtime?.startsWith('/') ? [`${runtime}/podman/podman.sock`, `${runtime}/docker.sock`] : [];
  return ['/var/run/docker.sock', ...own, '/run/podman/podman.sock'];
}

/** Where the outside world has one driver, the setting that names it must not be believed to have chosen another. */
function refuseUnbuilt(env: NodeJS.ProcessEnv): void {
  readOneOf('STORAGE', env.STORAGE, ['local'], 'local');
  readOneOf('SMS', env.SMS, ['outbox'], 'outbox');
  readOneOf('MAIL', env.MAIL, ['outbox'], 'outbox');
  readOneOf('PAYMENT', env.PAYMENT, ['sandbox'], 'sandbox');
  if (env.APPS_URL) readUrl('APPS_URL', env.APPS_URL, ['http:', 'https:']);
}

function refuseUnsafe(config: Config, env: NodeJS.ProcessEnv): void {
  if (!config.isProduction) return;
  if (config.databaseUrl === null && !readFlag('ALLOW_EMBEDDED_DATABASE', env.ALLOW_EMBEDDED_DATABASE)) {
    throw new ConfigError('In production set DATABASE_URL, or allow the embedded database by name with ALLOW_EMBEDDED_DATABASE=1.');
  }
  if (!readFlag('ALLOW_OUTBOX', env.ALLOW_OUTBOX)) {
    throw new ConfigError('In production codes would go to files under DATA_DIR/outbox; allow that by name with ALLOW_OUTBOX=1.');
  }
  if (!readFlag('ALLOW_SANDBOX_PAYMENT', env.ALLOW_SANDBOX_PAYMENT)) {
    throw new ConfigError(
      'In production anybody could pay with the payment sandbox, with which no money moves; allow that by name with ALLOW_SANDBOX_PAYMENT=1.',
    );
  }
  if (config.computeEngine === 'simulated' && !readFlag('ALLOW_SIMULATED_ENGINE', env.ALLOW_SIMULATED_ENGINE)) {
    throw new ConfigError(
      'In production labs must be real; COMPUTE_ENGINE=simulated is allowed by name with ALLOW_SIMULATED_ENGINE=1.',
    );
  }
  if (
    config.publicUrl.startsWith('http:') &&
    !isLoopback(new URL(config.publicUrl).hostname) &&
    !readFlag('ALLOW_PLAIN_HTTP', env.ALLOW_PLAIN_HTTP)
  ) {
    throw new ConfigError('PUBLIC_URL is plain http beyond loopback; use https, or allow it by name with ALLOW_PLAIN_HTTP=1.');
  }
}

/** True for a host name only this machine answers to. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || hostname === '::1' || /^127\./.test(hostname);
}

/** The address of a server on this host, an IPv6 one in brackets. */
export function httpAddress(host: string, port: number): string {
  return `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

function readHost(text: string | undefined): string {
  const host = text || '127.0.0.1';
  const isName = /^[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(host);
  if ((isIP(host) === 0 && !isName) || !URL.canParse(httpAddress(host, 0)))
    throw new ConfigError(`HOST is ${host}; it must be a host name or an IP address.`);
  return host;
}

function readPort(text: string | undefined): number {
  const port = readDigits(text || '8000');
  if (port === null || port > 65535) throw new ConfigError(`PORT is ${text}; it must be a whole number from 0 to 65535.`);
  return port;
}

function readCount(name: string, text: string | undefined, otherwise: number): number {
  const count = text ? readDigits(text) : otherwise;
  if (count === null) throw new ConfigError(`${name} is ${text}; it must be a whole number from 0.`);
  return count;
}

/** Digits only: `Number` also takes blanks, signs, exponents and hexadecimals for numbers. */
function readDigits(text: string): number | null {
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}

function readProxies(text = ''): string[] {
  const proxies = text.split(',').flatMap((proxy) => proxy.trim() || []);
  const wrong = proxies.find((proxy) => !isProxy(proxy));
  if (wrong === undefined) return proxies;
  throw new ConfigError(
    `TRUSTED_PROXIES has ${wrong}; it must be IP addresses or ranges such as 10.0.0.0/8, with commas, or ${proxyNames.join(', ')}.`,
  );
}

function isProxy(proxy: string): boolean {
  if (proxyNames.some((name) => name === proxy)) return true;
  const [, address = '', bits] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(proxy) ?? [];
  const version = isIP(address);
  if (version === 0) return false;
  return bits === undefined || (Number(bits) >= 1 && Number(bits) <= (version === 6 ? 128 : 32));
}

/** A page elsewhere, or one of the console's own by its path. */
function readLink(name: string, text: string | undefined, otherwise: string): string {
  if (!text) return otherwise;
  if (/^\/(?![/\\])[^\s\\]*$/.test(text)) return text;
  if (!URL.canParse(text) || !['http:', 'https:'].includes(new URL(text).protocol))
    throw new ConfigError(`${name} is ${text}; it must be a http or https address or a path that begins with one slash.`);
  return new URL(text).href;
}

function readUrl(name: string, text: string, protocols: readonly string[]): string {
  if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol)) {
    throw new ConfigError(`${name} is not a ${protocols.map((protocol) => protocol.slice(0, -1)).join(' or ')} address.`);
  }
  return text;
}

/** A user who may create projects; all of it or nothing. */
function readHarbor(env: NodeJS.ProcessEnv): Config['harbor'] {
  const { HARBOR_URL, HARBOR_USERNAME: username, HARBOR_PASSWORD: password, HARBOR_PROJECT: projectPrefix = 'atelier' } = env;
  if (!HARBOR_URL) return null;
  const url = readUrl('HARBOR_URL', HARBOR_URL, ['http:', 'https:']).replace(/\/+$/, '');
  if (!username || !password) throw new ConfigError('HARBOR_URL needs HARBOR_USERNAME and HARBOR_PASSWORD beside it.');
  if (!/^[a-z0-9]+(?:[._-][a-z0-9]+)*$/.test(projectPrefix))
    throw new ConfigError(
      `HARBOR_PROJECT is ${projectPrefix}; it must be small letters, digits and single dots, dashes or underscores.`,
    );
  return { url, username, password, projectPrefix };
}

function readFailpoint({ FAILPOINT: name, NODE_ENV: mode }: NodeJS.ProcessEnv): FailpointName | null {
  if (!name) return null;
  if (mode !== 'test') throw new ConfigError('FAILPOINT ends the gateway on purpose; it is for tests alone, with NODE_ENV=test.');
  return readOneOf('FAILPOINT', name, failpointNames, failpointNames[0]);
}

function readFlag(name: string, text: string | undefined): boolean {
  return readOneOf(name, text, ['0', '1'], '0') === '1';
}

function readOneOf<T extends string>(name: string, text: string | undefined, values: readonly T[], otherwise: T): T {
  if (!text) return otherwise;
  const value = values.find((candidate) => candidate === text);
  if (!value) throw new ConfigError(`${name} is ${text}; it must be one of ${values.join(', ')}.`);
  return value;
}
