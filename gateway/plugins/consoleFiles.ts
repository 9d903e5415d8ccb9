import { createHash } from 'node:crypto';
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
      // Another console may name this gateway as its static host, and the files are nobody's own: any page may load them.
      reply.header('cross-origin-resource-policy', 'cross-origin');
      reply.header('access-control-allow-origin', '*');
    },
  });
  const page = readFileSync(join(consoleFolder, 'index.html'), 'utf8').replaceAll(`"${PREFIX}`, `"${staticHost}${PREFIX}`);
  const etag = `"${createHash('sha256').update(page).digest('base64url').slice(0, 22)}"`;
  app.get('/*', async (request, reply) => {
    if (!isPage(request)) throw new Refusal('NOT_FOUND');
    reply.header('cache-control', 'no-cache').header('etag', etag);
    if (isKnown(etag, request.headers['if-none-match'])) return reply.code(304).send();
    return reply.type('text/html; charset=utf-8').send(page);
  });
}

/** What a browser's address line asks for; the console answers unknown addresses with its own page. */
function isPage({ url, headers }: FastifyRequest): boolean {
  if (/^\/(gateway|dist)(\/|\?|$)/.test(url)) return false;
  const { accept = '*/*', 'sec-fetch-dest': destination } = headers;
  // Programs such as link checkers take anything; a page's own scripts and pictures take anything as well, but say what they are for.
  return accept.includes('text/html') || (accept === '*/*' && destination === undefined && !/^[^?]*\.[^/?]*(\?|$)/.test(url));
}

/** Whether the browser has this very version already (RFC 9110, 13.1.2). */
function isKnown(etag: string, ifNoneMatch = ''): boolean {
  return ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
}
