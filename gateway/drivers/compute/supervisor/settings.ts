/** How a supervisor runs; handed over as JSON in its only argument. */
export interface SupervisorSettings {
  dataDir: string;
  engine: 'process' | 'container';
  /** The container daemon's socket; null without one. */
  containerSocket: string | null;
  /** `polled` and `none` forgo what the host could do; for hosts where it misbehaves, and for tests. */
  limits: 'auto' | 'polled';
  isolation: 'auto' | 'none';
  sightingMs: number;
  limitPollMs: number;
  diskPollMs: number;
  /** With nobody connected and no lab alive it leaves after this long; the journal keeps what is still to be booked. */
  idleExitMs: number;
  /** Longest a terminal waits for a reader that takes nothing: beside other readers, and alone. */
  stuckReaderMs: { beside: number; alone: number };
  /** Free bytes DATA_DIR's disk must keep; below, no start. */
  minFreeDiskBytes: number;
  minFreeMemoryBytes: number;
}

const mebibyte = 1024 ** 2;

export const defaultSettings: Omit<SupervisorSettings, 'dataDir'> = {
  engine: 'process',
  containerSocket: null,
  limits: 'auto',
  isolation: 'auto',
  sightingMs: 1000,
  limitPollMs: 250,
  diskPollMs: 5000,
  idleExitMs: 60_000,
  stuckReaderMs: { beside: 5000, alone: 60_000 },
  minFreeDiskBytes: 256 * mebibyte,
  minFreeMemoryBytes: 256 * mebibyte,
};

/** Reads the argument the driver passed. Throws when it is not what this build writes. */
export function parseSettings(text: string | undefined): SupervisorSettings {
  const read: Partial<SupervisorSettings> = JSON.parse(text ?? '');
  if (typeof read.dataDir !== 'string' || !read.dataDir.startsWith('/')) throw new Error('settings need an absolute dataDir');
  return { ...defaultSettings, ...read, dataDir: read.dataDir };
}
