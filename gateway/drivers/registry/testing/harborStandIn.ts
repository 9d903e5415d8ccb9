import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface HarborRequest {
  method: string;
  path: string;
  authorization: string;
  body: unknown;
}

const PUSH_AND_PULL = 'repository:pull,repository:push';

type Answer = { status: number; body?: unknown; headers?: Record<string, string> } | 'silence' | 'cut';

interface Robot {
  id: number;
  name: string;
  namespace: string;
  secret: string;
  disable: boolean;
  expiresAt: number;
}

export const HARBOR_USER = { username: 'atelier', password: 'Harbor-12345' };
/** 2100-01-01 */
const FAR = 4_102_444_800;

interface RobotBody {
  name?: string;
  level?: string;
  disable?: boolean;
  duration?: number;
  permissions?: { kind: string; namespace: string; access: { resource: string; action: string }[] }[];
}

/** A Harbor that keeps its projects and robots in memory and checks every request as Harbor's description of its API has it. */
export class HarborStandIn {
  readonly requests: HarborRequest[] = [];
  readonly robots = new Map<number, Robot>();
  readonly projects = new Set<string>();
  private next: Answer | null = null;
  private readonly server = createServer((request, response) => void this.serve(request, response));

  get host(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get url(): string {
    return `http://${this.host}`;
  }

  open(): Promise<void> {
    return new Promise((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  /** Answers the next request like this instead. */
  answerNext(answer: Answer): void {
    this.next = answer;
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = await read(request);
    this.requests.push(asked);
    const answer = this.next ?? this.answerTo(asked);
    this.next = null;
    if (answer === 'silence') return;
    if (answer === 'cut') return void request.socket.destroy();
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    response.end(typeof answer.body === 'string' ? answer.body : (JSON.stringify(answer.body) ?? ''));
  }

  private answerTo(asked: HarborRequest): Answer {
    const expected = `Basic ${Buffer.from(`${HARBOR_USER.username}:${HARBOR_USER.password}`).toString('base64')}`;
    if (asked.authorization !== expected) return refusal(401, 'UNAUTHORIZED');
    const robotId = /^\/api\/v2\.0\/robots\/(\d+)$/.exec(asked.path)?.[1];
    const key = `${asked.method} ${robotId === undefined ? asked.path : 'robot'}`;
    if (key === 'POST /api/v2.0/projects') return this.addProject(Object(asked.body));
    if (key === 'POST /api/v2.0/robots') return this.addRobot(Object(asked.body));
    const robot = this.robots.get(Number(robotId));
    if (!robot) return refusal(404, 'NOT_FOUND');
    if (key === 'GET robot') return { status: 200, body: { ...robot, secret: undefined, expires_at: robot.expiresAt } };
    if (key !== 'PATCH robot' || Object(asked.body).secret !== '') return refusal(400, 'BAD_REQUEST');
    robot.secret = `renewed-${this.requests.length}`;
    return { status: 200, body: { secret: robot.secret } };
  }

  private addProject({ project_name: name, metadata }: { project_name?: string; metadata?: { public?: string } }): Answer {
    if (!isName(name) || metadata?.public !== 'false') return refusal(400, 'BAD_REQUEST');
    if (this.projects.has(name)) return refusal(409, 'CONFLICT');
    this.projects.add(name);
    return { status: 201 };
  }

  private addRobot(body: RobotBody): Answer {
    const permission = body.permissions?.[0];
    if (!permission || !isFit(body)) return refusal(400, 'BAD_REQUEST');
    if (!this.projects.has(permission.namespace)) return refusal(404, 'NOT_FOUND');
    const name = `robot$${permission.namespace}+${body.name}`;
    if ([...this.robots.values()].some((robot) => robot.name === name)) return refusal(409, 'CONFLICT');
    const id = this.robots.size + 1;
    const robot = { id, name, namespace: permission.namespace, secret: `secret-${id}`, disable: false, expiresAt: FAR };
    this.robots.set(id, robot);
    return { status: 201, body: { id, name, secret: robot.secret, creation_time: '2026-01-01T00:00:00Z', expires_at: FAR } };
  }
}

export async function startHarborStandIn(): Promise<HarborStandIn> {
  const standIn = new HarborStandIn();
  await standIn.open();
  return standIn;
}

function isFit({ name, level, disable, duration = 0, permissions = [] }: RobotBody): boolean {
  const actions = permissions.flatMap(({ access }) => access.map(({ resource, action }) => `${resource}:${action}`)).sort();
  const isPermitted = permissions.length === 1 && permissions[0]?.kind === 'project' && actions.join() === PUSH_AND_PULL;
  return isName(name) && level === 'project' && disable === false && (duration === -1 || duration > 0) && isPermitted;
}

async function read(request: IncomingMessage): Promise<HarborRequest> {
  const body = await text(request);
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    authorization: request.headers.authorization ?? '',
    body: body === '' ? null : JSON.parse(body),
  };
}

function isName(name: string | undefined): name is string {
  return /^[a-z0-9]+(?:[._-][a-z0-9]+)*$/.test(name ?? '');
}

function refusal(status: number, code: string): Answer {
  return { status, body: { errors: [{ code, message: code.toLowerCase() }] } };
}
