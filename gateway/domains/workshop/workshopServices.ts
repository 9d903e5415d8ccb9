import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Catalogue } from '../../catalog/catalogue';
import type { Clock } from '../../clock';
import type { Db } from '../../db/client';
import type { ComputeEngine } from '../../drivers/compute/computeEngine';
import { registerImageRoutes } from '../image/image.routes';
import { createImageService } from '../image/image.service';
import type { LabImageUseService } from '../labImage/labImageUse.service';
import { createLabOutputService } from '../labSession/labOutput.service';
import { registerLabSessionRoutes } from '../labSession/labSession.routes';
import { createLabSessionService } from '../labSession/labSession.service';
import { createMeterNoticeService } from '../labSession/meterNotices.service';
import { createReconcileService } from '../labSession/reconcile.service';
import { createEngineInstanceService } from './engineInstance.service';
import { createLabActivityService } from './labActivity.service';
import { createLabUsageService } from './labUsage.service';
import type { Memberships, Meter, Proofs, Tasks, Wallets } from './neighbours';
import { createSpecOfferService } from './specOffer.service';
import { registerTerminalSocket } from './terminalSocket.routes';
import { createTerminalSockets, type LoginSessions } from './terminalSockets';
import type { WakeUp } from './wakeUp';
import { listNames } from './workshop.repository';
import { registerWorkshopRoutes } from './workshop.routes';
import { createWorkshopService } from './workshop.service';
import { registerWorkshopLifeRoutes } from './workshopLife.routes';
import { createWorkshopMetricsService } from './workshopMetrics.service';
import { createWorkshopStartService } from './workshopStart.service';
import { createWorkshopStateService } from './workshopState.service';
import { createWorkshopStopService } from './workshopStop.service';
import { createWorkshopTerminalService } from './workshopTerminal.service';
import { createWorkshopUpdateService } from './workshopUpdate.service';
import { createWorkshopViewService } from './workshopView.service';

interface WorkshopNeighbours {
  db: Db;
  engine: ComputeEngine;
  clock: Clock;
  installation: { id: string };
  catalogue: Catalogue;
  ledger: Wallets;
  metering: Meter;
  memberships: Memberships;
  tasks: Tasks;
  proofs: Proofs;
  imageUse: LabImageUseService;
  loginSessions: LoginSessions;
  wakeUp: WakeUp;
}

/** Everything of workshops, images and lab sessions, in the order in which they need each other. */
export function createWorkshopServices(deps: WorkshopNeighbours, log: FastifyBaseLogger) {
  const { db, engine, catalogue, memberships, metering: meter, ledger: wallets, wakeUp } = deps;
  const states = createWorkshopStateService();
  const instances = createEngineInstanceService({ db, engine });
  const images = createImageService({ engine, catalogue, use: deps.imageUse });
  const specOffer = createSpecOfferService({ engine, catalogue });
  const workshopViews = createWorkshopViewService({ db, engine, catalogue, meter, memberships, specOffer, images });
  const { proofs } = deps;
  const starting = { instances, engine, catalogue, images, specOffer, memberships, meter, states, proofs };
  const starts = createWorkshopStartService(starting);
  const workshopTerminals = createWorkshopTerminalService({ db, engine });
  const labActivity = createLabActivityService({ db });
  const socketNeighbours = { loginSessions: deps.loginSessions, workshopTerminals, activity: labActivity };
  const terminalSockets = createTerminalSockets({ ...socketNeighbours, log });
  const { kick } = wakeUp;
  const closeTerminals = terminalSockets.closeOfWorkshop;
  const changing = { ...starting, db, wallets, starts, views: workshopViews, kick };
  const workshops = createWorkshopService(changing);
  const labOutputs = createLabOutputService({ db, engine, catalogue, requireWorkshop: workshopViews.requireMine, log });
  return {
    wakeUp,
    images,
    workshops,
    workshopUpdates: createWorkshopUpdateService(changing),
    workshopStops: createWorkshopStopService({ ...changing, closeTerminals }),
    workshopViews,
    labActivity,
    labOutputs,
    labSessions: createLabSessionService({ db, catalogue, images, workshops, listNames }),
    labUsage: createLabUsageService({ db, catalogue }),
    workshopMetrics: createWorkshopMetricsService({ db, engine, catalogue, activity: labActivity }),
    workshopTerminals,
    terminalSockets,
    meterNotices: createMeterNoticeService({ kick }),
    reconciliation: createReconcileService({
      ...{ ...starting, db, wallets, log },
      ...{ tasks: deps.tasks, outputs: labOutputs, imageUse: deps.imageUse },
      clock: deps.clock,
      installationId: deps.installation.id,
    }),
  };
}

export type WorkshopServices = ReturnType<typeof createWorkshopServices>;

/** The calls of workshops and images, and the terminal socket. */
export function registerWorkshopDomain(
  app: FastifyInstance,
  services: WorkshopServices,
  deps: { config: { publicUrl: string; isProduction: boolean }; engine: ComputeEngine; clock: Clock },
): void {
  registerImageRoutes(app, services.images);
  registerWorkshopRoutes(app, services);
  registerWorkshopLifeRoutes(app, services);
  registerLabSessionRoutes(app, services);
  registerTerminalSocket(app, { ...deps, ...services });
}
