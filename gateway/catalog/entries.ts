import type { Language } from '../locales/messages';

/** Words shown to members, in every language we speak. */
export type Words = Readonly<Record<Language, string>>;

/** One spec on offer. Prices are decimal strings so that no float ever touches money. */
export interface SpecEntry {
  specId: string;
  name: Words;
  cpuCores: number;
  memoryBytes: number;
  diskBytes: number;
  /** How many processes and threads a lab may have at once. */
  processes: number;
  dcuPerHour: string;
  priceVersion: number;
  isRetired: boolean;
}

/** One image of the basic tree; `commands` are what an engine without images of its own must find on its host. */
export interface ImageEntry {
  imageId: string;
  framework: string;
  frameworkName: Words;
  version: string;
  name: Words;
  description: Words;
  commands: readonly string[];
  /** What an engine that runs containers fetches; null: only engines without images offer it. */
  reference: string | null;
  isRetired: boolean;
}
