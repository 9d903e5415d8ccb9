import type { FastifyInstance } from 'fastify';
import { labSessionCalls } from '../../contract/labSession';
import { registerCalls } from '../../plugins/callRouter';
import { viewerOf } from '../../plugins/viewer';
import type { LabSessionService } from './labSession.service';

/** The runs of the signed-in member's workshops. */
export function registerLabSessionRoutes(app: FastifyInstance, { labSessions }: { labSessions: LabSessionService }): void {
  registerCalls(app, labSessionCalls, {
    'GET /gateway/session/page': ({ query, signedIn, request }) => labSessions.page(viewerOf(signedIn, request), query),
    'GET /gateway/session/filterList': ({ signedIn, request }) => labSessions.filterList(viewerOf(signedIn, request)),
    'POST /gateway/session/copy': ({ body, signedIn, idempotency, request }) =>
      labSessions.copy(viewerOf(signedIn, request), body, idempotency),
    'POST /gateway/session/delete': ({ body, signedIn, request }) => labSessions.delete(viewerOf(signedIn, request), body),
  });
}
