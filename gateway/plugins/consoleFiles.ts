import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '../refusal';

const PREFIX = '/dist/';
const YEAR = 'public, max-age=31536000, immutable';
const DAY = 'public, max-age=86400';
const HASHED = /\.[0-9a-f]{8}\./;

/**
 * The built console: files under `/dist/` for a year, in their compressed form where the browser takes it, and for every other
 * page's address index.html, which is asked for anew each time and names the static host the files come from.
 */
export async function registerConsoleFiles(
  app: FastifyInstance,
  { consoleFolder, staticHost }: { consoleFolder: string; staticHost: string },
): Promise<void> {
  const page = readFileSync(join(consoleFolder, 'index.html'), 'utf8').replaceAll(`"${PREFIX}`, `"${staticHost}${PREFIX}`);
  await app.register(fastifyStatic, {
    root: consoleFolder,
    prefix: PREFIX,
    preCompressed: true,
    index: false,
    cacheControl: false,
    dotfiles: 'ignore',
    decorateReply: false,
    // Its names of libraries' chunks are nobody's route; index.html is served by its own rule below.
    allowedPath: (path) => basename(path) !== 'index.html',
    setHeaders: (reply, path) => {
      reply.header('cache-control', HASHED.test(basename(path)) || 'v' in Object(reply.request.query) ? YEAR : DAY);
    },
  });
  app.get('/*', async (request, reply) => {
    if (!isPage(request)) throw new Refusal('NOT_FOUND');
    return reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(page);
  });
}

/** What a browser's address line asks for; the console answers unknown addresses with its own page. */
function isPage({ url, headers }: FastifyRequest): boolean {
  return !/^\/(gateway|dist)(\/|\?|$)/.test(url) && (headers.accept ?? '').includes('text/html');
}
