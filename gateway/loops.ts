import type { FastifyBaseLogger } from 'fastify';
import type { Deps } from './app';
import { createEnsurePartitionsLoop } from './jobs/ensurePartitions';
import { createExpireLotsLoop } from './jobs/expireLots';
import { createExpireOrdersLoop } from './jobs/expireOrders';
import { createGrantMembershipsLoop } from './jobs/grantMemberships';
import { createMeterDcuLoop } from './jobs/meterDcu';
import { createPurgeIdentityLoop } from './jobs/purgeIdentity';
import { createReconcileLoop } from './jobs/reconcileWorkshops';
import { createSampleMetricsLoop } from './jobs/sampleMetrics';
import { createSaveImagesLoop } from './jobs/saveImages';
import { createSendRefundsLoop } from './jobs/sendRefunds';
import { createSendSandboxNoticesLoop } from './jobs/sendSandboxNotices';
import { createSettlePaymentsLoop } from './jobs/settlePayments';
import { createWatchBalancesLoop } from './jobs/watchBalances';
import type { Services } from './services';

/** What `main` starts after the engine is open and stops, in reverse, before it closes. */
export interface BackgroundLoop {
  start(): void;
  stop(): Promise<void>;
}

/** Every background loop, one line each. */
export function createLoops(deps: Deps, services: Services, log: FastifyBaseLogger): BackgroundLoop[] {
  return [
    createPurgeIdentityLoop(services, log),
    createMeterDcuLoop({ ...deps, ...services, onReport: services.meterNotices.noteTick, log }),
    createExpireLotsLoop({ ...deps, ...services, log }),
    createExpireOrdersLoop({ ...services, log }),
    createSettlePaymentsLoop({ ...services, log }),
    createSendRefundsLoop({ ...services, log }),
    createSendSandboxNoticesLoop({ ...services, log }),
    createGrantMembershipsLoop({ ...deps, ...services, log }),
    createWatchBalancesLoop({ ...services, log }),
    createEnsurePartitionsLoop({ ...deps, ...services, log }),
    createReconcileLoop({ ...deps, ...services, log }),
    createSampleMetricsLoop({ ...services, log }),
    createSaveImagesLoop({ ...deps, ...services, log }),
  ];
}
