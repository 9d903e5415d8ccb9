import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Catalogue } from '../../catalog/catalogue';
import type { Config } from '../../config';
import type { Db } from '../../db/client';
import type { ComputeEngine } from '../../drivers/compute/computeEngine';
import { createHarbor } from '../../drivers/registry/harbor';
import type { ObjectStorage } from '../../drivers/storage/objectStorage';
import type { ImageService } from '../image/image.service';
import { lockWorkshop, sumStoredBytes } from '../workshop/workshop.repository';
import { createWorkshopStateService } from '../workshop/workshopState.service';
import { type ConfiguredRegistry, createImageRegistryService } from './imageRegistry.service';
import { createImageSaveService } from './imageSave.service';
import { registerLabImageRoutes } from './labImage.routes';
import { createLabImageService } from './labImage.service';
import { createLabImageUseService } from './labImageUse.service';
import { createLabImageViewService } from './labImageView.service';
import type { Homes, Memberships, Proofs, Wallets } from './neighbours';

interface LabImageNeighbours {
  db: Db;
  config: Pick<Config, 'harbor'>;
  engine: ComputeEngine;
  catalogue: Catalogue;
  storage: ObjectStorage;
  homes: Homes;
  images: ImageService;
  ledger: Wallets;
  memberships: Memberships;
  proofs: Proofs;
}

/** What workshops need of images; made before them, and they before the rest. */
export function createLabImageUse(deps: Parameters<typeof createLabImageUseService>[0]) {
  return createLabImageUseService(deps);
}

/** Everything of the images members make. */
export function createLabImageServices(deps: LabImageNeighbours, log: FastifyBaseLogger) {
  const { db, images, ledger: wallets } = deps;
  const states = createWorkshopStateService();
  const shared = { ...deps, wallets, states, storedBytes: sumStoredBytes, log };
  const labImageViews = createLabImageViewService({ ...deps, reasonsOf: images.reasonsOf });
  return {
    labImageViews,
    labImages: createLabImageService({ ...shared, lockWorkshop, views: labImageViews }),
    imageSaves: createImageSaveService(shared),
    imageRegistry: createImageRegistryService({ db, configured: registryOf(deps.config), log }),
  };
}

export type LabImageServices = ReturnType<typeof createLabImageServices>;

export function registerLabImageDomain(app: FastifyInstance, services: LabImageServices): void {
  registerLabImageRoutes(app, services);
}

function registryOf({ harbor }: Pick<Config, 'harbor'>): ConfiguredRegistry | null {
  return harbor && { registry: createHarbor(harbor), projectPrefix: harbor.projectPrefix, password: harbor.password };
}
