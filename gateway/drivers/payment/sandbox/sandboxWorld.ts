import type { IncomingHttpHeaders } from 'node:http';
import Fastify, { type FastifyInstance } from 'fastify';
import pino from 'pino';
import { v7 as uuidv7 } from 'uuid';
import { type Db, readNow } from '../../../db/client';
import { advance, clockOf, createTestDatabase } from '../../../testing/testDatabase';
import type { NewTrade } from '../paymentProvider';
import type { CashierAction } from './cashier';
import { createSandbox, type Sandbox } from './sandbox';
import { registerSandboxRoutes } from './sandbox.routes';

const NOTIFY_PATH = '/gateway/payment/notify/sandbox';

export interface SandboxWorld {
  db: Db;
  app: FastifyInstance;
  sandbox: Sandbox;
  newTrade(): Promise<NewTrade>;
  /** A new trade and the path of its cashier page. */
  createTrade(): Promise<{ trade: NewTrade; path: string }>;
  act(paymentId: string, action: CashierAction): Promise<void>;
  /** What a listener was told since the last look; it answers as `setAnswer` says. */
  received(): Promise<{ rawBody: Buffer; headers: IncomingHttpHeaders }[]>;
  setAnswer(answer: { status: number; body: string }): void;
  passMs(ms: number): Promise<void>;
  close(): Promise<void>;
}

/** The sandbox on a database of its own, with a merchant who only listens. */
export async function openSandboxWorld(): Promise<SandboxWorld> {
  const { db, drop } = await createTestDatabase();
  const app = Fastify();
  const publicUrl = 'http://console.test';
  const sandbox = createSandbox({ db, clock: clockOf(db), publicUrl, log: pino({ level: 'silent' }) });
  let heard: { rawBody: Buffer; headers: IncomingHttpHeaders }[] = [];
  let answer = { status: 200, body: 'success' };
  registerSandboxRoutes(app, sandbox);
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.post(NOTIFY_PATH, async ({ body, headers }, reply) => {
      heard.push({ rawBody: body as Buffer, headers });
      return reply.code(answer.status).send(answer.body);
    });
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  await advance(db, 0);

  async function newTrade(): Promise<NewTrade> {
    const expiresAt = new Date((await readNow(db)).getTime() + 30 * 60_000);
    return {
      ...{
        paymentId: uuidv7(),
        orderNo: '20260301080000123456',
        method: 'sandbox',
        amountFen: 12_345n,
        currency: 'CNY',
        expiresAt,
      },
      subject: { 'en-US': '<DCU> & more', 'zh-CN': '算力' },
      ...{ notifyUrl: `${publicUrl}${NOTIFY_PATH}`, returnUrl: `${publicUrl}/success?order=1` },
    };
  }

  return {
    ...{ db, app, sandbox, newTrade },
    async createTrade() {
      const trade = await newTrade();
      const { redirectUrl } = await sandbox.provider.create(trade);
      return { trade, path: new URL(redirectUrl).pathname };
    },
    async act(paymentId, action) {
      const row = await db
        .selectFrom('sandboxTrade')
        .select(['id', 'formToken'])
        .where('paymentId', '=', paymentId)
        .executeTakeFirstOrThrow();
      const outcome = await sandbox.cashier.act(row.id, action, row.formToken);
      if (outcome !== 'done') throw new Error(`the cashier says ${outcome}`);
      await sandbox.sendNotices();
    },
    async received() {
      await sandbox.sendNotices();
      const before = heard;
      heard = [];
      return before;
    },
    setAnswer(next) {
      answer = next;
    },
    passMs: async (ms) => {
      await advance(db, ms);
    },
    close: async () => {
      await app.close();
      await drop();
    },
  };
}
