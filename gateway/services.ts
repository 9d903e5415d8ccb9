import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import type { Deps } from './app';
import { loadCatalogue } from './catalog/catalogue';
import { createAccountService } from './domains/account/account.service';
import { createAlertService } from './domains/account/alert.service';
import { createBillService } from './domains/account/bill.service';
import { createCorrectionService } from './domains/account/correction.service';
import { createAuditService } from './domains/audit/audit.service';
import { createSaleServices } from './domains/coupon/saleServices';
import { createLabImageServices, createLabImageUse } from './domains/labImage/labImageServices';
import { createMeterNoteWriter } from './domains/labSession/meterNotices.service';
import { createLedgerService, type LedgerService } from './domains/ledger/ledger.service';
import { createMembershipService } from './domains/membership/membership.service';
import { createMembershipViewService } from './domains/membership/membershipView.service';
import { createMeteringService } from './domains/metering/metering.service';
import { createCommerceServices } from './domains/order/commerceServices';
import { createPointsServices } from './domains/points/pointsServices';
import { createTrackerService } from './domains/tracker/tracker.service';
import { createIdentity } from './domains/user/identity';
import { createHomeRoom } from './domains/workshop/homeRoom';
import { createWakeUp } from './domains/workshop/wakeUp';
import { createWorkshopFileService } from './domains/workshop/workshopFile.service';
import { createWorkshopServices } from './domains/workshop/workshopServices';
import { createWorkshopStateService } from './domains/workshop/workshopState.service';
import { chooseHomeFiles } from './drivers/homeFiles/chooseHomeFiles';
import { createLocalObjectStorage } from './drivers/storage/localObjectStorage';

/**
 * Every service of the gateway on one pool of connections, one line a domain, in the order in which they need each other. Requests
 * and loops have a set each, with one `wakeUp` between them.
 */
export function createServices(deps: Deps, log: FastifyBaseLogger, wakeUp = createWakeUp()) {
  const { db, clock } = deps;
  const catalogue = loadCatalogue();
  // The books settle open meters before they add a lot, and the meter posts to the books.
  const ledger: LedgerService = createLedgerService({ db, settleMember: (tx, memberId) => metering.settleMember(tx, memberId) });
  const note = createMeterNoteWriter({ states: createWorkshopStateService() });
  const metering = createMeteringService({ db, clock, ledger, priceOf: (specId) => catalogue.findSpec(specId) ?? null, note, log });
  const membership = createMembershipService({ db, ledger, catalogue });
  const identity = createIdentity({ ...deps, ledger, metering, membership }, log);
  const alerts = createAlertService({ db, metering, texts: identity.texts, log });
  const account = createAccountService({ db, metering, alerts });
  const bills = createBillService({ db, catalogue });
  const audit = createAuditService({ db });
  const { loginSessions, users } = identity;
  const sale = createSaleServices({ ...deps, catalogue, ledger, users, giftMembership: membership.gift });
  const points = createPointsServices({ db, catalogue, ledger, giving: sale.giving });
  const labNeighbours = {
    catalogue,
    ledger,
    metering,
    memberships: membership,
    tasks: points.pointsActions,
    proofs: users,
    loginSessions,
    wakeUp,
  };
  const storage = createLocalObjectStorage({ folder: join(deps.config.dataDir, 'objects'), clock });
  const homes = chooseHomeFiles(deps.engine, log);
  const imageUse = createLabImageUse({ ...deps, catalogue, storage, homes });
  const lab = createWorkshopServices({ ...deps, ...labNeighbours, imageUse }, log);
  const labImage = createLabImageServices({ ...deps, ...labNeighbours, storage, homes, images: lab.images }, log);
  const room = createHomeRoom({ db, homes, catalogue, memberships: membership, labs: lab.labUsage });
  const workshopFiles = createWorkshopFileService({ ...deps, homes, room, activity: lab.labActivity });
  const commerce = createCommerceServices({ ...deps, catalogue, ledger, users, membership, ...sale, ...points }, log);
  const membershipViews = createMembershipViewService({ db, catalogue, membership, users, labs: lab.labUsage });
  const tracker = createTrackerService(deps);
  return {
    catalogue,
    ledger,
    metering,
    account,
    alerts,
    bills,
    audit,
    membership,
    membershipViews,
    tracker,
    ...identity,
    ...sale,
    ...points,
    ...commerce,
    corrections: createCorrectionService({ db, ledger, points: points.points, audit }),
    ...lab,
    workshopFiles,
    ...labImage,
    homes,
    imageUse,
  };
}

export type Services = ReturnType<typeof createServices>;
