import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Catalogue } from '../../catalog/catalogue';
import type { Clock } from '../../clock';
import type { Config } from '../../config';
import type { Db } from '../../db/client';
import { createSandbox } from '../../drivers/payment/sandbox/sandbox';
import { registerSandboxRoutes } from '../../drivers/payment/sandbox/sandbox.routes';
import { type AttemptService, createAttemptService } from './attempt.service';
import { createMoneyService } from './money.service';
import type { Coupons, Orders, Packages, Points, Wallets } from './neighbours';
import { registerNoticeRoute } from './notice.routes';
import { createNoticeService } from './notice.service';
import { registerPaymentRoutes } from './payment.routes';
import { createRefundService } from './refund.service';
import { createRefundSendService } from './refundSend.service';

interface PaymentNeighbours {
  db: Db;
  clock: Clock;
  config: Pick<Config, 'publicUrl'>;
  catalogue: Pick<Catalogue, 'sale'>;
  ledger: Wallets;
  orders: Orders;
  coupons: Coupons;
  points: Points;
  membership: Packages;
}

/** Attempts, notices and refunds around the one provider there is, in the order in which they need each other. */
export function createPaymentServices({ membership: packages, ...neighbours }: PaymentNeighbours, log: FastifyBaseLogger) {
  const { catalogue, config } = neighbours;
  const sandbox = createSandbox({ ...neighbours, publicUrl: config.publicUrl, log });
  const deps = { ...neighbours, packages, provider: sandbox.provider, log };
  const money = createMoneyService(deps);
  const refundSending = createRefundSendService(deps);
  const fenPerPoint = BigInt(catalogue.sale.points.fenPerPoint);
  const payments: AttemptService = createAttemptService({ ...deps, money });
  return {
    sandbox,
    payments,
    notices: createNoticeService({ ...deps, money }),
    refunds: createRefundService({ ...deps, fenPerPoint, sending: refundSending }),
    refundSending,
  };
}

/** The calls of paying, the provider's notices, and the sandbox's end of the web. */
export function registerPaymentDomain(app: FastifyInstance, services: ReturnType<typeof createPaymentServices>): void {
  registerPaymentRoutes(app, services);
  registerNoticeRoute(app, services);
  registerSandboxRoutes(app, services.sandbox);
}
