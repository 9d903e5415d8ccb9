import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { tellBytes } from '../../bytePart';
import { workshopFileCalls } from '../../contract/workshopFile';
import { registerCalls } from '../../plugins/callRouter';
import { invalidField, Refusal } from '../../refusal';
import { attachment } from './workshopFile.rules';
import type { FileDownload, WorkshopFileService } from './workshopFile.service';

/** Each holds a handle and a share of the disk. */
const MOST_UPLOADS = 3;

/** The files of a member's workshops; in a scope of its own, since nothing else takes a body that is not JSON. */
export function registerWorkshopFileRoutes(
  app: FastifyInstance,
  { workshopFiles, homes }: { workshopFiles: WorkshopFileService; homes: { close(): Promise<void> } },
): void {
  app.addHook('onClose', () => homes.close());
  const uploads = new Map<string, number>();
  app.register(async (scope) => {
    scope.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload));
    registerCalls(scope, workshopFileCalls, {
      'GET /gateway/workshop/files': ({ query, signedIn }) => workshopFiles.list(signedIn.memberId, query),
      'GET /gateway/workshop/file': ({ query, signedIn }) => workshopFiles.text(signedIn.memberId, query),
      'GET /gateway/workshop/download': async ({ query, signedIn, request, reply }) =>
        send(reply, await workshopFiles.download(signedIn.memberId, query, request.headers.range)),
      'POST /gateway/workshop/saveFile': ({ body, signedIn }) => workshopFiles.save(signedIn.memberId, body),
      'POST /gateway/workshop/makeFolder': ({ body, signedIn }) => workshopFiles.makeFolder(signedIn.memberId, body),
      'POST /gateway/workshop/renameFile': ({ body, signedIn }) => workshopFiles.rename(signedIn.memberId, body),
      'POST /gateway/workshop/deleteFiles': ({ body, signedIn }) => workshopFiles.delete(signedIn.memberId, body),
      'POST /gateway/workshop/upload': async ({ query, signedIn: { memberId }, request }) => {
        const { source, sizeBytes } = bodyOf(request);
        const underWay = uploads.get(memberId) ?? 0;
        if (underWay >= MOST_UPLOADS) throw new Refusal('TOO_MANY_REQUESTS', { params: { seconds: 1 }, retryAfterSeconds: 1 });
        uploads.set(memberId, underWay + 1);
        try {
          return await workshopFiles.upload(memberId, query, source, sizeBytes);
        } finally {
          const left = (uploads.get(memberId) ?? 1) - 1;
          if (left > 0) uploads.set(memberId, left);
          else uploads.delete(memberId);
        }
      },
    });
  });
}

function bodyOf({ body, headers }: FastifyRequest): { source: Readable; sizeBytes: number } {
  if (!(body instanceof Readable)) throw new Refusal('UNSUPPORTED_MEDIA_TYPE');
  const length = headers['content-length'];
  if (length === undefined || !/^\d{1,15}$/.test(length)) throw invalidField('headers.content-length', 'required');
  return { source: body, sizeBytes: Number(length) };
}

/** As a file to be kept: nothing in it is ever shown or run by the browser. */
function send(reply: FastifyReply, { stream, fileName, size }: FileDownload): Readable {
  reply.headers({
    'content-disposition': attachment(fileName),
    'content-security-policy': "default-src 'none';base-uri 'none';frame-ancestors 'none';sandbox",
    'cache-control': 'no-store',
  });
  if (!size) return stream;
  const { bytes, range, version } = size;
  tellBytes(reply, { sizeBytes: bytes, part: range, etag: `"${version}"` });
  return stream;
}
