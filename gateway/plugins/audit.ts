import type { FastifyInstance, FastifyRequest } from 'fastify';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { type ErrorName, errors } from '../contract/errors';
import { subjectAt } from '../domains/audit/audit.rules';
import type { AuditEntry, AuditService } from '../domains/audit/audit.service';
import { auditEntries } from '../metrics';
import { limitedAddress } from './rateLimitAddress';

declare module 'fastify' {
  interface FastifyRequest {
    /** What an audited call answered, once that is decided. */
    outcome: { code: number; data: unknown } | null;
  }
}

/** A row later than this is not waited for: the answer goes out, the row follows. */
const WAIT_MS = 1_000;
/** Refusals that anybody can cause without limit: of these an address leaves so many rows a minute. */
const FLOODABLE: ReadonlySet<string> = new Set<ErrorName>(['CROSS_SITE_REFUSED', 'TOO_MANY_REQUESTS', 'UNAVAILABLE']);
const FLOOD = { keyPrefix: 'audit', points: 60, duration: 60 };

const names: ReadonlyMap<number, ErrorName> = new Map(Object.entries(errors).map(([name, { code }]) => [code, name as ErrorName]));

/**
 * Leaves one row in the audit table for each request to a call whose contract is `audited`, whatever its answer: after the answer is
 * decided and before it goes out, so that nothing is acknowledged unrecorded. A row that cannot be written is logged and counted and
 * changes no answer.
 */
export function registerAudit(app: FastifyInstance, { audit }: { audit: AuditService }): void {
  const flood = new RateLimiterMemory(FLOOD);
  const underWay = new Set<Promise<void>>();

  async function write(request: FastifyRequest, entry: AuditEntry): Promise<void> {
    try {
      if (FLOODABLE.has(entry.result)) await flood.consume(limitedAddress(request.ip));
      await audit.write(entry);
      auditEntries.inc({ outcome: 'written' });
    } catch (err) {
      const isFlood = err instanceof RateLimiterRes;
      auditEntries.inc({ outcome: isFlood ? 'flood' : 'lost' });
      if (!isFlood) request.log.error({ err, audit: summaryOf(entry) }, 'an audit entry was not written');
    }
  }

  app.decorateRequest('outcome', null);
  app.addHook('preSerialization', async (request, _reply, payload: unknown) => {
    if (!request.routeOptions.config.call?.audited) return;
    const { code, data } = Object(payload);
    request.outcome = { code, data };
  });
  app.addHook('onSend', async (request) => {
    const { call } = request.routeOptions.config;
    if (!call?.audited || !request.outcome) return;
    const entry = entryOf(request, call.key, call.audited, request.outcome);
    request.outcome = null;
    const writing = write(request, entry).finally(() => underWay.delete(writing));
    underWay.add(writing);
    await within(WAIT_MS, writing);
  });
  app.addHook('onClose', async () => {
    await Promise.all(underWay);
  });
}

function entryOf(
  request: FastifyRequest,
  action: string,
  subjectPath: string,
  { code, data }: { code: number; data: unknown },
): AuditEntry {
  const { signedIn, ip, id, headers, refusedSubject } = request;
  const subject = subjectPath === 'self' ? null : subjectAt(subjectPath, { body: request.body, data });
  return {
    actor: signedIn ? { kind: 'member', memberId: signedIn.memberId } : { kind: 'visitor' },
    action,
    subject: subject ?? refusedSubject ?? (subjectPath === 'self' ? (signedIn?.memberId ?? null) : null),
    result: code === 0 ? 'OK' : (names.get(code) ?? 'INTERNAL'),
    ip,
    userAgent: headers['user-agent'] ?? '',
    traceId: id,
  };
}

/** The row as the log may have it, when the table cannot. */
function summaryOf({ actor, action, subject, result, ip }: AuditEntry) {
  return { actor: actor.kind === 'member' ? actor.memberId : actor.kind, action, subject, result, ip };
}

async function within(limitMs: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([work, limit]);
  clearTimeout(timer);
}
