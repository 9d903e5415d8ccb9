import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { workshopLifeCalls } from '../../contract/workshopLife';
import { registerCalls } from '../../plugins/callRouter';
import { viewerOf } from '../../plugins/viewer';
import type { LabOutputService } from '../labSession/labOutput.service';
import type { WorkshopStopService } from './workshopStop.service';
import type { WorkshopUpdateService } from './workshopUpdate.service';

interface LifeServices {
  workshopUpdates: WorkshopUpdateService;
  workshopStops: WorkshopStopService;
  labOutputs: LabOutputService;
}

export function registerWorkshopLifeRoutes(app: FastifyInstance, services: LifeServices): void {
  const { workshopUpdates, workshopStops, labOutputs } = services;
  registerCalls(app, workshopLifeCalls, {
    'POST /gateway/workshop/extend': ({ body, signedIn, request }) => workshopUpdates.extend(viewerOf(signedIn, request), body),
    'POST /gateway/workshop/stopAll': ({ signedIn, request }) => workshopStops.stopAll(viewerOf(signedIn, request)),
    'GET /gateway/workshop/logs': ({ query, signedIn, request }) => labOutputs.logs(viewerOf(signedIn, request), query),
    'GET /gateway/workshop/logsDownload': async ({ query, signedIn, request, reply }) => {
      const { text, sessionId } = await labOutputs.logs(viewerOf(signedIn, request), query);
      reply.header('content-disposition', `attachment; filename="lab-${sessionId ?? 'none'}.txt"`);
      return Readable.from([text]);
    },
  });
}
