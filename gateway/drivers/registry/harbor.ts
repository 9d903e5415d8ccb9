import { type ImageRegistry, RegistryFailed, type RegistryProblem, type RobotAccount } from './imageRegistry';

export interface HarborSettings {
  /** Origin, with path prefix where it has one. */
  url: string;
  username: string;
  password: string;
}

const TIMEOUT_MS = 5_000;
/** No answer we read is as long. */
const ANSWER_LIMIT_BYTES = 64 * 1024;
/** Days a robot lasts. */
const ROBOT_DAYS = 365;

/** Harbor's API v2.0, as a user who may create projects. It is sent nowhere else: redirects count as failures. */
export function createHarbor(settings: HarborSettings, timeoutMs = TIMEOUT_MS): ImageRegistry {
  const send = (method: Method, path: string, body?: object) => ask(settings, { method, path, body, timeoutMs });
  return {
    host: new URL(settings.url).host,

    async ensureProject(name) {
      const { status } = await send('POST', '/projects', { project_name: name, metadata: { public: 'false' } });
      if (status !== 201 && status !== 409) throw failed(status, 'a project was not made');
    },

    async createRobot(project, name) {
      const answer = await send('POST', '/robots', {
        name,
        description: 'Pushes and pulls the images of one member.',
        level: 'project',
        disable: false,
        duration: ROBOT_DAYS,
        permissions: [
          {
            kind: 'project',
            namespace: project,
            access: [
              { resource: 'repository', action: 'push' },
              { resource: 'repository', action: 'pull' },
            ],
          },
        ],
      });
      if (answer.status !== 201) throw failed(answer.status, 'a robot account was not made');
      return robotOf(answer.body);
    },

    async findRobot(robotId) {
      const { status, body } = await send('GET', `/robots/${robotId}`);
      if (status === 404) return undefined;
      if (status !== 200) throw failed(status, 'a robot account could not be looked at');
      if (fieldOf(body, 'disable') === true) return undefined;
      return { expiresAt: expiryOf(body) };
    },

    async refreshSecret(robotId) {
      // An empty secret asks for one of Harbor's own making.
      const { status, body } = await send('PATCH', `/robots/${robotId}`, { secret: '' });
      if (status !== 200) throw failed(status, 'a secret was not renewed');
      return textOf(body, 'secret');
    },
  };
}

type Method = 'GET' | 'POST' | 'PATCH';

interface Asked {
  method: Method;
  path: string;
  body: object | undefined;
  timeoutMs: number;
}

async function ask(
  { url, username, password }: HarborSettings,
  { method, path, body, timeoutMs }: Asked,
): Promise<{ status: number; body: unknown }> {
  try {
    const response = await fetch(`${url.replace(/\/+$/, '')}/api/v2.0${path}`, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
        accept: 'application/json',
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: response.status, body: parse(await readShort(response)) };
  } catch (cause) {
    if (cause instanceof RegistryFailed) throw cause;
    throw new RegistryFailed('unreachable', `Harbor did not answer ${method} ${path}`, { cause });
  }
}

async function readShort(response: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  const reader = response.body?.getReader();
  for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
    bytes += piece.value.length;
    if (bytes > ANSWER_LIMIT_BYTES) {
      await reader?.cancel();
      throw new RegistryFailed('unexpected', `Harbor answered more than ${ANSWER_LIMIT_BYTES} bytes`);
    }
    pieces.push(piece.value);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** Undefined where it is no JSON: a proxy's error page, say, whose status tells enough. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const problems: Readonly<Record<number, RegistryProblem>> = { 401: 'credentials', 403: 'forbidden', 409: 'conflict' };

function failed(status: number, what: string): RegistryFailed {
  const problem = problems[status] ?? (status >= 500 || status === 429 ? 'unreachable' : 'unexpected');
  return new RegistryFailed(problem, `${what}: Harbor answered ${status}`);
}

function robotOf(body: unknown): RobotAccount {
  const robotId = fieldOf(body, 'id');
  if (typeof robotId !== 'number' || !Number.isSafeInteger(robotId)) throw unexpected('id');
  return { robotId: BigInt(robotId), name: textOf(body, 'name'), secret: textOf(body, 'secret'), expiresAt: expiryOf(body) };
}

/** Harbor counts seconds, and says -1 (or nothing) for never. */
function expiryOf(body: unknown): Date | null {
  const seconds = fieldOf(body, 'expires_at');
  return typeof seconds === 'number' && seconds > 0 ? new Date(seconds * 1000) : null;
}

function textOf(body: unknown, name: string): string {
  const text = fieldOf(body, name);
  if (typeof text !== 'string' || text === '') throw unexpected(name);
  return text;
}

function fieldOf(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined;
}

function unexpected(name: string): RegistryFailed {
  return new RegistryFailed('unexpected', `Harbor answered without ${name}`);
}
