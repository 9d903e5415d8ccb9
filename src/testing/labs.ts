import type { Lab } from '@/components/LabCard/labFacts';
import { type Answer, type MadeCall, success } from './gateway';

const GB = 1024 ** 3;
const started = '2026-11-20T10:00:00.000Z';

/** A stopped lab that never ran. */
export function buildLab(changes: Partial<Lab> = {}): Lab {
  return {
    workshopId: '01a1fbeb-79aa-76ac-9dce-9f73cafa256c',
    name: 'Transformer notes',
    state: 'STOPPED',
    stateChangedAt: started,
    spec: { specId: 'cpu-1', name: '1 core · 2 GB', cpuCores: 1, memoryBytes: 2 * GB, diskBytes: 4 * GB, dcuPerHour: 0.5 },
    image: { imageId: 'shell', name: 'Shell' },
    maxHours: null,
    idleMinutes: null,
    env: {},
    network: 'none',
    failure: null,
    stateReason: '',
    session: null,
    lastSession: null,
    totalCostDcu: 0,
    cpuTrend: [],
    isHomeThere: false,
    createdAt: started,
    ...changes,
  };
}

export function buildSession(changes: Partial<NonNullable<Lab['session']>> = {}): NonNullable<Lab['session']> {
  return {
    sessionId: '01a1fbec-0000-7000-8000-000000000001',
    queuedAt: started,
    startedAt: started,
    runningMs: 3_024_000,
    dcuPerHour: 0.5,
    costDcu: 0.42,
    stopsAt: '2126-11-20T18:30:00.000Z',
    stopsCause: 'MAX_HOURS',
    extendableHours: 0,
    idleSince: null,
    progress: null,
    terminalIds: [],
    ...changes,
  };
}

export function buildRunningLab(changes: Partial<Lab> = {}): Lab {
  return buildLab({ state: 'RUNNING', session: buildSession(), cpuTrend: [3, 8, 12], totalCostDcu: 0.42, ...changes });
}

type Answers = Record<string, Answer | ((call: MadeCall) => Answer | Promise<Answer>)>;

const spec = { specId: 'cpu-1', name: '1 core · 2 GB', cpuCores: 1, memoryBytes: 2 * GB, diskBytes: 4 * GB, priceVersion: 1 };

/** What a signed-in member of level 0 with 9.58 DCU is answered by everything the lab pages ask, beside their own answers. */
export function labAnswers(labs: readonly Lab[], more: Answers = {}): Answers {
  return {
    'GET /gateway/user/getUserBySession': success({ userId: 'member', userName: 'lin', levelFlag: 0, remainDcu: 9.58 }),
    'GET /gateway/account/overview': success({
      remainDcu: 9.58,
      availableDcu: 9.58,
      heldDcu: 0,
      lots: [],
      burnDcuPerHour: 0,
      runningLabs: 0,
      lastsUntil: null,
      runwayMs: null,
      spentTodayDcu: 0,
      spentMonthDcu: 0,
      at: started,
    }),
    'GET /gateway/workshop/page': success({ list: labs, total: labs.length }),
    'GET /gateway/workshop/filterList': success({ states: [{ state: 'RUNNING', count: 1 }], specs: [] }),
    'GET /gateway/workshop/cpuSpec': success({
      network: { isAvailable: true, reason: '' },
      list: [
        { ...spec, dcuPerHour: 0.5, minimumLevel: 0, isAllowed: true, isAvailable: true, reason: '' },
        { ...spec, specId: 'cpu-8', cpuCores: 8, dcuPerHour: 4, minimumLevel: 1, isAllowed: false, isAvailable: true, reason: '' },
      ],
    }),
    'GET /gateway/image/basicTree': success({
      tree: [
        {
          framework: 'shell',
          name: 'Shell',
          versions: [{ version: 'Linux', variants: [variant('shell', 'A Linux command line.', '')] }],
        },
        {
          framework: 'julia',
          name: 'Julia',
          versions: [{ version: '1', variants: [variant('julia', 'Julia.', 'This machine has no julia.')] }],
        },
      ],
    }),
    ...more,
  };
}

function variant(imageId: string, description: string, reason: string) {
  return { imageId, name: imageId, description, isAvailable: reason === '', reason };
}
