import type { ImageEntry, SpecEntry } from './entries';
import { checkId, checkPositive, checkWords, readDcu, requireThat } from './entryChecks';
import { images } from './images';
import { type CustomParts, customPrice, type Price } from './price.rules';
import { sale } from './sale';
import { checkSale } from './saleChecks';
import type { CampaignEntry, PackageEntry, RewardEntry, SaleEntries, SkuEntry } from './saleEntries';
import { specs } from './specs';

/** A spec with its price in the ledger's unit. */
export interface Spec extends SpecEntry {
  rateMicroPerHour: bigint;
}

/** What is offered, checked once; lookups also find what is retired. */
export interface Catalogue {
  specs: readonly Spec[];
  images: readonly ImageEntry[];
  /** Throws `RangeError` for an id the catalogue never had: a row can only name what was once offered. */
  specOf(specId: string): Spec;
  findSpec(specId: string): Spec | undefined;
  imageOf(imageId: string): ImageEntry;
  findImage(imageId: string): ImageEntry | undefined;
  /** Every image of a framework, retired ones too; none for one there never was. */
  imageIdsOf(framework: string): string[];
  /** Everything that is sold and given away, retired entries too. */
  sale: SaleEntries;
  findSku(skuId: string): SkuEntry | undefined;
  findPackage(packageId: string): PackageEntry | undefined;
  findCampaign(campaignId: string): CampaignEntry | undefined;
  /** By what a member typed: spaces around it and its case do not count. */
  campaignByCode(code: string): CampaignEntry | undefined;
  findReward(rewardId: string): RewardEntry | undefined;
  /** Throws `RangeError` for parts or months that are not on offer. */
  customPrice(parts: CustomParts & { months: number; isStudent: boolean }): Price;
}

interface Source {
  specs: readonly SpecEntry[];
  images: readonly ImageEntry[];
  sale?: SaleEntries;
}

/** Reads and checks the catalogue. Throws `CatalogueError` naming the first entry that is wrong. */
export function loadCatalogue(source: Source = { specs, images }): Catalogue {
  const specById = readSpecs(source.specs);
  const imageById = readImages(source.images);
  requireThat(specById.size > 0 && imageById.size > 0, 'The catalogue must offer at least one spec and one image.');
  return {
    specs: [...specById.values()].filter((spec) => !spec.isRetired),
    images: [...imageById.values()].filter((image) => !image.isRetired),
    specOf: (specId) => found(specById.get(specId), `spec ${specId}`),
    findSpec: (specId) => specById.get(specId),
    imageOf: (imageId) => found(imageById.get(imageId), `image ${imageId}`),
    findImage: (imageId) => imageById.get(imageId),
    imageIdsOf: (framework) => [...imageById.values()].flatMap((image) => (image.framework === framework ? image.imageId : [])),
    ...readSale(source.sale ?? sale),
  };
}

function readSpecs(entries: readonly SpecEntry[]): Map<string, Spec> {
  const specById = new Map<string, Spec>();
  for (const entry of entries) {
    const named = `Spec ${entry.specId}`;
    checkId(named, entry.specId, specById);
    checkWords(named, { name: entry.name });
    checkNumbers(named, entry);
    specById.set(entry.specId, { ...entry, rateMicroPerHour: readDcu(named, 'price', entry.dcuPerHour) });
  }
  return specById;
}

function readImages(entries: readonly ImageEntry[]): Map<string, ImageEntry> {
  const imageById = new Map<string, ImageEntry>();
  for (const entry of entries) {
    const named = `Image ${entry.imageId}`;
    checkId(named, entry.imageId, imageById);
    checkWords(named, { frameworkName: entry.frameworkName, name: entry.name, description: entry.description });
    const isByName = entry.commands.length > 0 && entry.commands.every((command) => /^[A-Za-z0-9+_.-]{1,64}$/.test(command));
    requireThat(isByName, `${named} must name at least one command, by name and not by path.`);
    const isReference = entry.reference === null || /^[a-z0-9][a-z0-9._:/-]{0,190}:[\w.-]{1,64}$/.test(entry.reference);
    requireThat(isReference, `${named} must name its container image with registry path and tag, or null.`);
    imageById.set(entry.imageId, entry);
  }
  return imageById;
}

type Sold = 'sale' | 'findSku' | 'findPackage' | 'findCampaign' | 'campaignByCode' | 'findReward' | 'customPrice';

function readSale(entries: SaleEntries): Pick<Catalogue, Sold> {
  checkSale(entries);
  return {
    sale: entries,
    findSku: (id) => entries.skus.find((entry) => entry.skuId === id),
    findPackage: (id) => entries.packages.find((entry) => entry.packageId === id),
    findCampaign: (id) => entries.campaigns.find((entry) => entry.campaignId === id),
    campaignByCode: (typed) => entries.campaigns.find(({ code }) => code !== null && code === typed.trim().toUpperCase()),
    findReward: (id) => entries.rewards.find((entry) => entry.rewardId === id),
    customPrice: (parts) => customPrice(entries.custom, parts),
  };
}

function found<T>(entry: T | undefined, named: string): T {
  if (!entry) throw new RangeError(`the catalogue has no ${named}`);
  return entry;
}

function checkNumbers(named: string, { cpuCores, memoryBytes, diskBytes, processes, priceVersion }: SpecEntry): void {
  requireThat(cpuCores > 0 && cpuCores <= 1024, `${named} must have more than 0 and at most 1024 CPU cores.`);
  checkPositive(named, { memoryBytes, diskBytes, processes, priceVersion });
}
