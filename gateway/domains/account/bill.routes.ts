import type { FastifyInstance } from 'fastify';
import { billCalls } from '../../contract/bill';
import { registerCalls } from '../../plugins/callRouter';
import { viewerOf } from '../../plugins/viewer';
import type { BillService } from './bill.service';

/** The bills of the signed-in member. */
export function registerBillRoutes(app: FastifyInstance, { bills }: { bills: BillService }): void {
  registerCalls(app, billCalls, {
    'GET /gateway/bill/page': (asked) => bills.page(viewerOf(asked.signedIn, asked.request), asked.query),
    'GET /gateway/bill/summary': (asked) => bills.summary(viewerOf(asked.signedIn, asked.request), asked.query),
    'GET /gateway/bill/segments': (asked) => bills.segments(viewerOf(asked.signedIn, asked.request), asked.query),
    'GET /gateway/bill/export': async (asked) => {
      const { from, to } = asked.query;
      const lines = bills.exportCsv(viewerOf(asked.signedIn, asked.request), asked.query);
      asked.reply.header('content-disposition', `attachment; filename="atelier-${from}-${to}.csv"`);
      return lines;
    },
  });
}
