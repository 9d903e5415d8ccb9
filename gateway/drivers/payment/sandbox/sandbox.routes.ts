import type { AddressInfo } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Language, languageOf } from '../../../locales/messages';
import { type CashierAction, payActions, refundModes } from './cashier';
import { CASHIER_POLICY, cashierPage, cashierProblem } from './cashierPage';
import type { Sandbox } from './sandbox';
import { CASHIER_PATH } from './sandboxProvider';

const FORM_BYTES = 2_048;
const TRADE_ID = /^[\w-]{43}$/;

interface CashierRequest {
  Params: { tradeId: string };
  Querystring: { lang?: string };
  Body: URLSearchParams | null;
}

/** The sandbox's end of the web: its cashier page, and the address it tells of payments, known once the gateway listens. */
export function registerSandboxRoutes(app: FastifyInstance, sandbox: Sandbox): void {
  app.addHook('onListen', async () => {
    await sandbox.registerNotifyOrigin(ownOrigin(app.server.address()));
  });
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_BYTES },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    );
    const url = `${CASHIER_PATH}:tradeId`;
    scope.get<CashierRequest>(url, { schema: { hide: true } }, async (request, reply) => {
      const { tradeId } = request.params;
      const shown = TRADE_ID.test(tradeId) ? await sandbox.cashier.show(tradeId) : null;
      const [language, path] = [languageFor(request), CASHIER_PATH + encodeURIComponent(tradeId)];
      if (!shown) return send(reply, 404, cashierProblem({ problem: 'gone', language, path }));
      return send(reply, 200, cashierPage({ shown, language, path }));
    });
    scope.post<CashierRequest>(url, { schema: { hide: true } }, async (request, reply) => {
      const { tradeId } = request.params;
      const [language, path] = [languageFor(request), CASHIER_PATH + encodeURIComponent(tradeId)];
      const action = readAction(request.body?.get('action'));
      const token = request.body?.get('token') ?? '';
      const outcome = action && TRADE_ID.test(tradeId) ? await sandbox.cashier.act(tradeId, action, token) : 'stale';
      if (outcome === 'missing') return send(reply, 404, cashierProblem({ problem: 'gone', language, path }));
      if (outcome === 'stale') return send(reply, 409, cashierProblem({ problem: 'stale', language, path }));
      // The payer need not wait for the merchant: what does not arrive now is sent again.
      sandbox.sendNoticesSoon();
      return reply.redirect(`${path}?lang=${language}`, 303);
    });
  });
}

function send(reply: FastifyReply, status: number, page: string): FastifyReply {
  return reply
    .code(status)
    .headers({ 'content-security-policy': CASHIER_POLICY, 'cache-control': 'no-store', 'referrer-policy': 'same-origin' })
    .type('text/html; charset=utf-8')
    .send(page);
}

function readAction(sent: string | null | undefined): CashierAction | undefined {
  return [...payActions, ...refundModes].find((action) => action === sent);
}

function languageFor({ query, headers }: FastifyRequest<CashierRequest>): Language {
  return query.lang === 'en-US' || query.lang === 'zh-CN' ? query.lang : languageOf(headers['accept-language']);
}

/** Where this process reaches itself. */
function ownOrigin(address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string') throw new Error('the gateway listens on no port');
  const { address: host, port } = address;
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}`;
  if (host === '::') return `http://[::1]:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
