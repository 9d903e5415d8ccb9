import type { FastifyInstance } from 'fastify';
import { pointsCalls } from '../../contract/points';
import { languageOf } from '../../locales/messages';
import { registerCalls } from '../../plugins/callRouter';
import type { PointsActionService } from './pointsActions.service';
import type { PointsViewService } from './pointsView.service';

/** The points of the signed-in member. */
export function registerPointsRoutes(
  app: FastifyInstance,
  { pointsViews, pointsActions }: { pointsViews: PointsViewService; pointsActions: PointsActionService },
): void {
  registerCalls(app, pointsCalls, {
    'GET /gateway/points/overview': ({ signedIn, request }) =>
      pointsViews.overview(signedIn.memberId, languageOf(request.headers['accept-language'])),
    'GET /gateway/points/tasks': ({ signedIn, request }) =>
      pointsViews.tasks(signedIn.memberId, languageOf(request.headers['accept-language'])),
    'GET /gateway/points/page': ({ signedIn, request, query: { current = 1, pageSize = 10, kind = null } }) =>
      pointsViews.page(signedIn.memberId, { current, pageSize, kind }, languageOf(request.headers['accept-language'])),
    'POST /gateway/points/checkIn': ({ signedIn }) => pointsActions.checkIn(signedIn.memberId),
    'POST /gateway/points/redeem': ({ signedIn, request, body, idempotency }) =>
      pointsActions.redeem({
        ...body,
        memberId: signedIn.memberId,
        language: languageOf(request.headers['accept-language']),
        idempotency,
      }),
  });
}
