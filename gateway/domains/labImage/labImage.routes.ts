import type { FastifyInstance, FastifyReply } from 'fastify';
import { tellBytes } from '../../bytePart';
import { madeImageCalls } from '../../contract/image';
import { labImageCalls } from '../../contract/labImage';
import { registerCalls } from '../../plugins/callRouter';
import { viewerOf } from '../../plugins/viewer';
import type { ImageRegistryService } from './imageRegistry.service';
import type { LabImageService } from './labImage.service';
import type { Download, LabImageViewService } from './labImageView.service';

interface LabImageServices {
  labImages: LabImageService;
  labImageViews: LabImageViewService;
  imageRegistry: ImageRegistryService;
}

export function registerLabImageRoutes(app: FastifyInstance, { labImages, labImageViews, imageRegistry }: LabImageServices): void {
  registerCalls(app, labImageCalls, {
    'POST /gateway/workshop/saveImage': ({ body, signedIn, request, idempotency }) =>
      labImages.save(viewerOf(signedIn, request), body, idempotency),
    'GET /gateway/labImage/list': ({ signedIn, request }) => labImageViews.list(viewerOf(signedIn, request)),
    'GET /gateway/labImage/detail': ({ query, signedIn, request }) =>
      labImageViews.detail(viewerOf(signedIn, request), query.imageId),
    'GET /gateway/labImage/download': async ({ query, signedIn, request, reply }) => {
      const { range, 'if-range': condition } = request.headers;
      const ifRange = condition === undefined ? undefined : String(condition);
      return send(reply, await labImageViews.download(viewerOf(signedIn, request), query.imageId, { range, ifRange }));
    },
    'POST /gateway/labImage/cancel': ({ body, signedIn, request }) => labImages.cancel(viewerOf(signedIn, request), body.imageId),
    'POST /gateway/labImage/delete': ({ body, signedIn, request }) => labImages.delete(viewerOf(signedIn, request), body.imageId),
  });
  registerCalls(app, madeImageCalls, {
    'GET /gateway/image/privateList': ({ query, signedIn, request }) =>
      labImageViews.privateList(viewerOf(signedIn, request), query),
    'GET /gateway/image/communityList': ({ query, signedIn, request }) =>
      labImageViews.communityList(viewerOf(signedIn, request), query),
    'POST /gateway/image/publish': ({ body, signedIn, request }) => labImages.publish(viewerOf(signedIn, request), body),
    'POST /gateway/image/star': ({ body, signedIn, request }) =>
      labImages.star(viewerOf(signedIn, request), body.imageId, body.isStarred),
    'GET /gateway/image/harborInfo': ({ signedIn, request, reply }) => {
      // It holds a secret.
      reply.header('cache-control', 'no-store');
      return imageRegistry.info(viewerOf(signedIn, request));
    },
  });
}

/** The archive, or the part asked for, as a file to be kept: nothing in it is ever shown or run by the browser. */
function send(reply: FastifyReply, { stream, fileName, etag, sizeBytes, range }: Download): Download['stream'] {
  const plain = fileName.replace(/[^A-Za-z0-9._-]+/g, '_');
  reply.headers({
    'content-disposition': `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(fileName).replace(/['()*]/g, escapeByte)}`,
    'cache-control': 'no-store',
  });
  tellBytes(reply, { sizeBytes, part: range, etag });
  return stream;
}

function escapeByte(letter: string): string {
  return `%${letter.charCodeAt(0).toString(16).toUpperCase()}`;
}
