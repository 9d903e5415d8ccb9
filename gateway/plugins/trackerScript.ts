import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

const PREFIX = '/tracker/';
const FILE = 'tracker.js';
/** Its name stays through every build, so a browser asks again soon; unchanged, it costs an answer without a body. */
const HOUR = 'public, max-age=3600';
const EMPTY = '// Usage tracking is switched off here.\n';

/** The usage tracker of the built console, at its fixed path; an empty program where the operator switched tracking off. */
export async function registerTrackerScript(
  app: FastifyInstance,
  { consoleFolder, isTrackerOn }: { consoleFolder: string; isTrackerOn: boolean },
): Promise<void> {
  if (!isTrackerOn) {
    app.get(`${PREFIX}${FILE}`, async (_request, reply) =>
      reply.header('cache-control', HOUR).type('text/javascript; charset=utf-8').send(EMPTY),
    );
    return;
  }
  await app.register(fastifyStatic, {
    root: join(consoleFolder, 'tracker'),
    prefix: PREFIX,
    preCompressed: true,
    index: false,
    cacheControl: false,
    decorateReply: false,
    allowedPath: (path) => path === `/${FILE}`,
    setHeaders: (reply) => {
      reply.header('cache-control', HOUR);
    },
  });
}
