import type { FastifyInstance } from 'fastify';
import { imageCalls } from '../../contract/image';
import { languageOf } from '../../locales/messages';
import { registerCalls } from '../../plugins/callRouter';
import type { ImageService } from './image.service';

export function registerImageRoutes(app: FastifyInstance, images: ImageService): void {
  registerCalls(app, imageCalls, {
    'GET /gateway/image/basicTree': async ({ request }) => ({
      tree: await images.basicTree(languageOf(request.headers['accept-language'])),
    }),
  });
}
