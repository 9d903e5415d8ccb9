import type { FastifyInstance } from 'fastify';
import { requestSeconds } from '../metrics';

/** Times every request under its route's pattern, and logs each one at level debug. */
export function registerRequestMetrics(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none';
    requestSeconds.observe({ method: request.method, route, status: String(reply.statusCode) }, reply.elapsedTime / 1000);
    request.log.debug({ route, method: request.method, status: reply.statusCode, ms: Math.round(reply.elapsedTime) }, 'answered');
  });
}
