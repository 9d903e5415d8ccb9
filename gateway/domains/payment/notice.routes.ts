import type { FastifyInstance } from 'fastify';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { limitedAddress } from '../../plugins/rateLimitAddress';
import { Refusal } from '../../refusal';
import { NOTIFY_PATH } from './attempt.service';
import type { NoticeService } from './notice.service';

const NOTICE_BYTES = 65_536;
/**
 * Refused notices an address may send a minute; then none of its is read for as long, so that it cannot fill log and alarms. Should real
 * ones come from there, they come again, and the provider is asked all the same.
 */
const REFUSED = { keyPrefix: 'notice', points: 60, duration: 60 };

/**
 * Where providers tell us of payments: the bytes as they came, from no page and nobody's session, answered with the provider's own
 * word instead of the envelope. Its signature stands in for all of that.
 */
export function registerNoticeRoute(app: FastifyInstance, { notices }: { notices: NoticeService }): void {
  const refused = new RateLimiterMemory(REFUSED);
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: NOTICE_BYTES }, (_request, body, done) => done(null, body));
    scope.post<{ Params: { provider: string } }>(
      `${NOTIFY_PATH}:provider`,
      { schema: { hide: true }, bodyLimit: NOTICE_BYTES, config: { isOutsideParty: true } },
      async (request, reply) => {
        const address = limitedAddress(request.ip);
        const sent = await refused.get(address);
        if (sent && sent.consumedPoints >= REFUSED.points) throw tooMany(sent);
        const rawBody = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        try {
          const { contentType, body } = await notices.hear(request.params.provider, rawBody, request.headers);
          return reply.type(contentType).send(body);
        } catch (error) {
          if (error instanceof Refusal) await refused.penalty(address);
          throw error;
        }
      },
    );
  });
}

function tooMany({ msBeforeNext }: RateLimiterRes): Refusal {
  const seconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
  return new Refusal('TOO_MANY_REQUESTS', { params: { seconds }, retryAfterSeconds: seconds });
}
