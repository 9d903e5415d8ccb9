import type { FastifyInstance, FastifyRequest } from 'fastify';
import { billCalls } from '../../contract/bill';
import { languageOf } from '../../locales/messages';
import { registerCalls, type SignedIn } from '../../plugins/callRouter';
import type { BillService, BillViewer } from './bill.service';

function viewerOf({ signedIn, request }: { signedIn: SignedIn; request: FastifyRequest }): BillViewer {
  return { memberId: signedIn.memberId, language: languageOf(request.headers['accept-language']) };
}

/** The bills of the signed-in member. */
export function registerBillRoutes(app: FastifyInstance, { bills }: { bills: BillService }): void {
  registerCalls(app, billCalls, {
    'GET /gateway/bill/page': (asked) => bills.page(viewerOf(asked), asked.query),
    'GET /gateway/bill/summary': (asked) => bills.summary(viewerOf(asked), asked.query),
    'GET /gateway/bill/segments': (asked) => bills.segments(viewerOf(asked), asked.query),
    'GET /gateway/bill/export': async (asked) => {
      const { from, to } = asked.query;
      const lines = bills.exportCsv(viewerOf(asked), asked.query);
      asked.reply.header('content-disposition', `attachment; filename="atelier-${from}-${to}.csv"`);
      return lines;
    },
  });
}
