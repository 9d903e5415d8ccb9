import type { WorkshopState } from '../../../gateway/contract/workshopStates';

/** The drawing of a state: told apart without colour by its shape alone. */
export type Mark = 'dot' | 'ring' | 'half' | 'hollow' | 'triangle' | 'dashed' | 'cross' | 'check';

export interface StateMark {
  mark: Mark;
  tone: 'running' | 'moving' | 'leaving' | 'still' | 'failed' | 'lost';
  /** How much of a ring is filled: the way from queued to running. */
  filled: number;
}

export const stateMarks: Readonly<Record<WorkshopState, StateMark>> = {
  RUNNING: { mark: 'dot', tone: 'running', filled: 1 },
  QUEUED: { mark: 'ring', tone: 'moving', filled: 0.15 },
  PULLING: { mark: 'ring', tone: 'moving', filled: 0.45 },
  STARTING: { mark: 'ring', tone: 'moving', filled: 0.8 },
  STOPPING: { mark: 'half', tone: 'leaving', filled: 0.5 },
  STOPPED: { mark: 'hollow', tone: 'still', filled: 0 },
  FAILED: { mark: 'triangle', tone: 'failed', filled: 1 },
  LOST: { mark: 'dashed', tone: 'lost', filled: 0 },
  DELETING: { mark: 'cross', tone: 'leaving', filled: 0 },
  DELETED: { mark: 'cross', tone: 'still', filled: 0 },
};
