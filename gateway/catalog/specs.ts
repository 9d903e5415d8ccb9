import type { SpecEntry } from './entries';

const GB = 1_073_741_824;

/**
 * What a workshop can run on. A price changes by a new `priceVersion`, never in place; a spec that is no longer sold stays with
 * `isRetired`, because workshops and bills name it.
 */
export const specs: readonly SpecEntry[] = [
  spec('cpu-half', 0.5, 1, 2, '0.25'),
  spec('cpu-1', 1, 2, 4, '0.5'),
  spec('cpu-2', 2, 4, 5, '1'),
  spec('cpu-4', 4, 8, 20, '2'),
  spec('cpu-8', 8, 16, 40, '4'),
  spec('cpu-16', 16, 32, 80, '8'),
  spec('cpu-32', 32, 64, 160, '16'),
  spec('cpu-64', 64, 128, 320, '32'),
];

function spec(specId: string, cpuCores: number, memoryGb: number, diskGb: number, dcuPerHour: string): SpecEntry {
  return {
    specId,
    name: {
      'en-US': `${cpuCores} ${cpuCores > 1 ? 'cores' : 'core'} · ${memoryGb} GB`,
      'zh-CN': `${cpuCores} 核 · ${memoryGb} GB`,
    },
    cpuCores,
    memoryBytes: memoryGb * GB,
    diskBytes: diskGb * GB,
    processes: Math.min(4096, Math.ceil(256 * Math.max(1, cpuCores))),
    dcuPerHour,
    priceVersion: 1,
    isRetired: false,
  };
}
