import { microFromDcu } from '../dcu';
import type { ImageEntry, SpecEntry, Words } from './entries';
import { images } from './images';
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
}

/** A catalogue that must not be sold from; the message is one sentence naming the entry. */
export class CatalogueError extends Error {
  override readonly name = 'CatalogueError';
}

/** Reads and checks the catalogue. Throws `CatalogueError` naming the first entry that is wrong. */
export function loadCatalogue(
  source: { specs: readonly SpecEntry[]; images: readonly ImageEntry[] } = { specs, images },
): Catalogue {
  const specById = new Map<string, Spec>();
  for (const entry of source.specs) {
    const named = `Spec ${entry.specId}`;
    checkId(named, entry.specId, specById);
    checkWords(named, { name: entry.name });
    checkNumbers(named, entry);
    specById.set(entry.specId, { ...entry, rateMicroPerHour: readPrice(named, entry.dcuPerHour) });
  }
  const imageById = new Map<string, ImageEntry>();
  for (const entry of source.images) {
    const named = `Image ${entry.imageId}`;
    checkId(named, entry.imageId, imageById);
    checkWords(named, { frameworkName: entry.frameworkName, name: entry.name, description: entry.description });
    if (entry.commands.length === 0 || entry.commands.some((command) => !/^[A-Za-z0-9+_.-]{1,64}$/.test(command))) {
      throw new CatalogueError(`${named} must name at least one command, by name and not by path.`);
    }
    imageById.set(entry.imageId, entry);
  }
  if (specById.size === 0 || imageById.size === 0)
    throw new CatalogueError('The catalogue must offer at least one spec and one image.');
  return {
    specs: [...specById.values()].filter((spec) => !spec.isRetired),
    images: [...imageById.values()].filter((image) => !image.isRetired),
    specOf: (specId) => found(specById.get(specId), `spec ${specId}`),
    findSpec: (specId) => specById.get(specId),
    imageOf: (imageId) => found(imageById.get(imageId), `image ${imageId}`),
    findImage: (imageId) => imageById.get(imageId),
  };
}

function found<T>(entry: T | undefined, named: string): T {
  if (!entry) throw new RangeError(`the catalogue has no ${named}`);
  return entry;
}

function checkId(named: string, id: string, seen: ReadonlyMap<string, unknown>): void {
  if (!/^[a-z0-9][a-z0-9.-]{0,63}$/.test(id))
    throw new CatalogueError(`${named} has an id that is not short, lower-case and plain.`);
  if (seen.has(id)) throw new CatalogueError(`${named} stands twice in the catalogue.`);
}

function checkWords(named: string, fields: Readonly<Record<string, Words>>): void {
  for (const [field, words] of Object.entries(fields)) {
    for (const [language, text] of Object.entries(words)) {
      if (text.trim() === '') throw new CatalogueError(`${named} has no ${field} in ${language}.`);
    }
  }
}

function checkNumbers(named: string, entry: SpecEntry): void {
  const { cpuCores, memoryBytes, diskBytes, processes, priceVersion } = entry;
  if (!(cpuCores > 0 && cpuCores <= 1024)) throw new CatalogueError(`${named} must have more than 0 and at most 1024 CPU cores.`);
  for (const [field, value] of Object.entries({ memoryBytes, diskBytes, processes, priceVersion })) {
    if (!Number.isSafeInteger(value) || value <= 0) throw new CatalogueError(`${named} needs a positive whole number as ${field}.`);
  }
}

function readPrice(named: string, decimal: string): bigint {
  try {
    return microFromDcu(decimal);
  } catch (error) {
    if (error instanceof RangeError) throw new CatalogueError(`${named} has a price that is not a DCU amount: ${decimal}.`);
    throw error;
  }
}
