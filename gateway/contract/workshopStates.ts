/** The states of a workshop. `LOST`: the engine or node cannot be reached, the meter is paused. */
export const workshopStates = [
  'STOPPED',
  'QUEUED',
  'PULLING',
  'STARTING',
  'RUNNING',
  'STOPPING',
  'FAILED',
  'LOST',
  'DELETING',
  'DELETED',
] as const;
export type WorkshopState = (typeof workshopStates)[number];

export const workshopActions = [
  'start',
  'stop',
  /** At once, without the grace an ordinary stop gives. */
  'forceStop',
  'extend',
  'update',
  /** The spec, the image, the environment or the network. */
  'changeSpec',
  'delete',
  'openTerminal',
  'saveImage',
] as const;
export type WorkshopAction = (typeof workshopActions)[number];

/** What may be done in each state: the one table that gateway and buttons follow. */
export const actionTable: Readonly<Record<WorkshopState, readonly WorkshopAction[]>> = {
  STOPPED: ['start', 'update', 'changeSpec', 'delete', 'saveImage'],
  QUEUED: ['stop', 'update'],
  PULLING: ['stop', 'forceStop', 'update'],
  STARTING: ['stop', 'forceStop', 'update'],
  RUNNING: ['stop', 'forceStop', 'extend', 'update', 'openTerminal', 'saveImage'],
  STOPPING: ['forceStop', 'update'],
  FAILED: ['start', 'stop', 'update', 'changeSpec', 'delete', 'saveImage'],
  LOST: ['stop', 'update'],
  DELETING: ['delete'],
  DELETED: [],
};

export function canDo(state: WorkshopState, action: WorkshopAction): boolean {
  return actionTable[state].includes(action);
}

/** Where a state may go next; anything else is a bug, refused by the gateway and by the database. */
export const transitionTable: Readonly<Record<WorkshopState, readonly WorkshopState[]>> = {
  STOPPED: ['QUEUED', 'DELETING'],
  QUEUED: ['PULLING', 'STARTING', 'RUNNING', 'STOPPING', 'STOPPED', 'FAILED', 'LOST'],
  PULLING: ['STARTING', 'RUNNING', 'STOPPING', 'STOPPED', 'FAILED', 'LOST'],
  STARTING: ['PULLING', 'RUNNING', 'STOPPING', 'STOPPED', 'FAILED', 'LOST'],
  RUNNING: ['STOPPING', 'STOPPED', 'FAILED', 'LOST'],
  STOPPING: ['STOPPED', 'FAILED', 'LOST'],
  FAILED: ['QUEUED', 'STOPPING', 'STOPPED', 'DELETING'],
  LOST: ['RUNNING', 'PULLING', 'STARTING', 'STOPPING', 'STOPPED', 'FAILED'],
  DELETING: ['DELETED'],
  DELETED: [],
};

/** States in which something is under way: pages poll faster. */
export const inTransition: readonly WorkshopState[] = ['QUEUED', 'PULLING', 'STARTING', 'STOPPING', 'DELETING'];

/** Why a lab session ended. */
export const stopReasons = [
  'MEMBER',
  /** By the member, at once. */
  'FORCED',
  /** By the member, before it ran. */
  'CANCELLED',
  'IDLE',
  'BALANCE_EXHAUSTED',
  'LEASE_LAPSED',
  'MAX_HOURS',
  'LEVEL_MAX_HOURS',
  'EXITED',
  'OUT_OF_MEMORY',
  'DISK_FULL',
  'START_TIMEOUT',
  'START_FAILED',
  'ENGINE_LOST',
  'VANISHED',
  'OPERATOR',
] as const;
export type StopReason = (typeof stopReasons)[number];

/** Every word an event of the timeline can give as its reason; the page translates it, the evidence fills it. */
export const eventReasons = [
  'CREATED',
  'UPDATED',
  'SPEC_CHANGED',
  'START_REQUESTED',
  'START_ACCEPTED',
  'START_REFUSED',
  'SEEN_RUNNING',
  'STOP_REQUESTED',
  'STOP_FORCED',
  /** By `evidence.hours` more, or, without hours, by counting the time without use anew. */
  'EXTENDED',
  'ENGINE_UNREACHABLE',
  'SEEN_AGAIN',
  /** Ten minutes before an automatic stop; `evidence.cause` says which. */
  'WARNING',
  /** The balance lasts `evidence.runwayMs` more. */
  'RUNWAY_LOW',
  /** `evidence.fromDcuPerHour` becomes `evidence.dcuPerHour` in `evidence.appliesInMs`. */
  'PRICE_CHANGE_ANNOUNCED',
  /** `evidence.fromDcuPerHour` became `evidence.dcuPerHour`. */
  'PRICE_CHANGED',
  'DELETE_REQUESTED',
  'DELETE_FAILED',
  'DELETED',
  /** `evidence.image` is the name and tag. */
  'IMAGE_SAVED',
  'IMAGE_FAILED',
  ...stopReasons,
] as const;
export type EventReason = (typeof eventReasons)[number];

/** What will stop a running lab first. */
export const stopCauses = ['BALANCE', 'IDLE', 'MAX_HOURS', 'LEVEL_MAX_HOURS'] as const;
export type StopCause = (typeof stopCauses)[number];
