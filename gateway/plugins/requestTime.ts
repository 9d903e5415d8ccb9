import type { FastifyInstance } from 'fastify';
import { answerUnreadable } from './envelope';

/** An upload may take as long as it needs while so much of it comes in each span of the usual limit. */
const UPLOAD_BYTES_PER_SECOND = 10_240;

/**
 * Hangs up, with `REQUEST_TIMEOUT`, on a request whose last byte has not come `requestMs` after its headers; on an upload only when hardly
 * anything of it comes. Node's own limit knows no such difference, so it is off. To be registered before whatever reads a body.
 */
export function registerRequestTime(app: FastifyInstance, { requestMs }: { requestMs: number }): void {
  app.addHook('onRequest', async ({ raw, routeOptions }, reply) => {
    const hasBody = raw.headers['transfer-encoding'] !== undefined || Number(raw.headers['content-length'] ?? 0) > 0;
    if (!hasBody || requestMs === 0) return;
    const isUpload = routeOptions.config.call?.upload !== undefined;
    let seenBytes = raw.socket.bytesRead;
    const timer = setInterval(() => {
      const camePerSecond = ((raw.socket.bytesRead - seenBytes) / requestMs) * 1000;
      seenBytes = raw.socket.bytesRead;
      if (raw.complete || (isUpload && camePerSecond >= UPLOAD_BYTES_PER_SECOND)) return;
      clearInterval(timer);
      answerUnreadable(
        Object.assign(new Error('the request did not come to its end'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }),
        raw.socket,
      );
    }, requestMs).unref();
    const stop = () => clearInterval(timer);
    raw.once('end', stop);
    reply.raw.once('close', stop);
  });
}
