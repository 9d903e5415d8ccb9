import type { FastifyInstance } from 'fastify';
import { type WorkshopCalls, workshopCalls } from '../../contract/workshop';
import { type CallHandlers, registerCalls } from '../../plugins/callRouter';
import { viewerOf } from '../../plugins/viewer';
import type { WorkshopService } from './workshop.service';
import type { WorkshopMetricsService } from './workshopMetrics.service';
import type { WorkshopStopService } from './workshopStop.service';
import type { WorkshopTerminalService } from './workshopTerminal.service';
import type { WorkshopUpdateService } from './workshopUpdate.service';
import type { WorkshopViewService } from './workshopView.service';

interface WorkshopServices {
  workshops: WorkshopService;
  workshopUpdates: WorkshopUpdateService;
  workshopStops: WorkshopStopService;
  workshopViews: WorkshopViewService;
  workshopMetrics: WorkshopMetricsService;
  workshopTerminals: WorkshopTerminalService;
}

type Handlers = CallHandlers<typeof workshopCalls>;

export function registerWorkshopRoutes(app: FastifyInstance, services: WorkshopServices): void {
  registerCalls(app, workshopCalls, { ...readsOf(services), ...changesOf(services) });
}

function readsOf({ workshopViews, workshopMetrics }: WorkshopServices): Pick<Handlers, keyof WorkshopCalls & `GET ${string}`> {
  return {
    'GET /gateway/workshop/cpuSpec': ({ signedIn, request }) => workshopViews.cpuSpec(viewerOf(signedIn, request)),
    'GET /gateway/workshop/get': ({ query, signedIn, request }) => workshopViews.get(viewerOf(signedIn, request), query.workshopId),
    'GET /gateway/workshop/page': ({ query, signedIn, request }) => workshopViews.page(viewerOf(signedIn, request), query),
    'GET /gateway/workshop/filterList': ({ signedIn, request }) => workshopViews.filterList(viewerOf(signedIn, request)),
    'GET /gateway/workshop/events': ({ query, signedIn, request }) => workshopViews.events(viewerOf(signedIn, request), query),
    'GET /gateway/workshop/metricsStatistics': ({ query, signedIn }) => workshopMetrics.statistics(signedIn.memberId, query),
  };
}

function changesOf({
  workshops,
  workshopUpdates,
  workshopStops,
  workshopTerminals,
}: WorkshopServices): Pick<Handlers, keyof WorkshopCalls & `POST ${string}`> {
  return {
    'POST /gateway/workshop/create': ({ body, signedIn, idempotency, request }) =>
      workshops.create(viewerOf(signedIn, request), body, idempotency),
    'POST /gateway/workshop/update': ({ body, signedIn, request }) => workshopUpdates.update(viewerOf(signedIn, request), body),
    'POST /gateway/workshop/start': ({ body, signedIn, idempotency, request }) =>
      workshops.start(viewerOf(signedIn, request), body.workshopId, idempotency),
    'POST /gateway/workshop/stop': ({ body, signedIn, request }) => workshopStops.stop(viewerOf(signedIn, request), body),
    'POST /gateway/workshop/delete': ({ body, signedIn, request }) =>
      workshops.delete(viewerOf(signedIn, request), body.workshopId),
    'POST /gateway/workshop/terminal': ({ body, signedIn, request }) =>
      workshopTerminals.issueTicket(viewerOf(signedIn, request), signedIn.loginSessionId, body),
  };
}
