import type { TrackCalls } from '../../gateway/contract/track';
import { startTracker } from './tracker';
import type { TrackerPage, TrackerSettings } from './trackerPage';

type Listen = EventTarget['addEventListener'];
type Batch = TrackCalls['POST /gateway/track/events']['body'];

const usual: TrackerSettings = {
  batchSize: 10,
  flushMs: 60_000,
  beacon: true,
  pageViews: true,
  clicks: true,
  errors: true,
  performance: false,
};

/** Keeps its text where a test can read it: jsdom's own can only be read later. */
class ReadableBlob extends Blob {
  readonly written: string;
  constructor(parts: BlobPart[] = [], options?: BlobPropertyBag) {
    super(parts, options);
    this.written = parts.join('');
  }
}

/** What a tracker sends, and what becomes of it; every test has its own, on the one window there is. */
export interface TrackerWorld {
  /** Bodies as the gateway would read them. */
  beacons: Batch[];
  fetched: Batch[];
  /** What the browser says to a beacon, and the gateway to a fetch; null: the network is down. */
  takesBeacons: boolean;
  status: number | null;
  page: TrackerPage;
  /** Loads the program on a new page. */
  start(settings?: Partial<TrackerSettings>, more?: Partial<TrackerPage>): void;
  /** Everything told by beacon so far. */
  told(): Batch['events'];
  end(): void;
}

export function buildTrackerWorld(): TrackerWorld {
  const undo: (() => void)[] = [];
  for (const target of [window, document]) {
    const listen: Listen = target.addEventListener;
    const watched: Listen = (type, listener, options) => {
      listen.call(target, type, listener, options);
      undo.push(() => listener && target.removeEventListener(type, listener, options));
    };
    Object.assign(target, { addEventListener: watched });
    undo.push(() => Object.assign(target, { addEventListener: listen }));
  }
  const world: TrackerWorld = {
    beacons: [],
    fetched: [],
    takesBeacons: true,
    status: 200,
    page: { settings: usual, origin: {}, opened: ['/login'] },
    /** Loads the program on a new page. */
    start(settings = {}, more = {}) {
      world.page = { origin: {}, opened: ['/login'], ...more, settings: { ...usual, ...settings } };
      startTracker(world.page);
    },
    told: () => world.beacons.flatMap(({ events }) => events),
    end() {
      for (const takeBack of undo) takeBack();
    },
  };
  window.Blob = ReadableBlob;
  Object.defineProperty(navigator, 'sendBeacon', {
    configurable: true,
    value: (url: string, body: ReadableBlob) => {
      if (url !== '/gateway/track/events' || body.type !== 'application/json') throw new Error(`beacon to ${url} as ${body.type}`);
      if (world.takesBeacons) world.beacons.push(JSON.parse(body.written));
      return world.takesBeacons;
    },
  });
  window.fetch = async (_url, init = {}) => {
    if (!init.keepalive) throw new Error('a request that ends with the page');
    world.fetched.push(JSON.parse(String(init.body)));
    if (world.status === null) throw new TypeError('Failed to fetch');
    return { status: world.status } as Response;
  };
  return world;
}
