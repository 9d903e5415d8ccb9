import { startTracker } from './tracker';
import { buildTrackerWorld, type TrackerWorld } from './trackerWorld';

const WORKSHOPS = '/main/myLab/workshop';
const DETAIL = '/main/myLab/workshop/detail/:workshopId';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/;

let world: TrackerWorld;
beforeEach(() => {
  jest.useFakeTimers();
  window.sessionStorage.clear();
  document.body.innerHTML = '';
  world = buildTrackerWorld();
});
afterEach(() => {
  world.end();
  jest.useRealTimers();
  jest.restoreAllMocks();
});

const hide = () => window.dispatchEvent(new Event('pagehide'));
const open = (...routes: string[]) => {
  for (const route of routes) world.page.onOpen?.(route);
};
function setNavigator(name: 'onLine' | 'doNotTrack' | 'globalPrivacyControl', value: unknown): void {
  Object.defineProperty(navigator, name, { configurable: true, value });
}
/** Lets the answers of fetches arrive. */
const settle = () => jest.advanceTimersByTimeAsync(0);

describe('a batch', () => {
  it('goes by beacon as soon as it holds ten events', () => {
    world.start();
    open(...Array(8).fill(WORKSHOPS));
    expect(world.beacons).toEqual([]);

    open(DETAIL);

    expect(world.beacons).toHaveLength(1);
    expect(world.told()).toHaveLength(10);
    expect(world.told()[9]).toEqual({ kind: 'pageView', route: DETAIL, agoMs: 0 });
    expect(world.fetched).toEqual([]);
  });

  it('goes after 60 seconds however little it holds, and no sooner', () => {
    world.start();
    jest.advanceTimersByTime(59_999);
    expect(world.beacons).toEqual([]);

    jest.advanceTimersByTime(1);

    expect(world.told()).toEqual([{ kind: 'pageView', route: '/login', agoMs: 60_000 }]);
    jest.advanceTimersByTime(600_000);
    expect(world.beacons).toHaveLength(1);
  });

  it.each([
    ['hidden', () => document.dispatchEvent(new Event('visibilitychange')), 'hidden'],
    ['left', hide, 'visible'],
  ])('goes at once when the page is %s', (_, happen, state) => {
    jest.spyOn(document, 'visibilityState', 'get').mockReturnValue(state as DocumentVisibilityState);
    world.start();

    happen();

    expect(world.told()).toHaveLength(1);
  });

  it('stays while the page only comes back', () => {
    world.start();

    document.dispatchEvent(new Event('visibilitychange'));

    expect(world.beacons).toEqual([]);
  });

  it('goes by fetch where the browser takes no beacon, or the settings want none', () => {
    world.takesBeacons = false;
    world.start();
    hide();
    world.start({ beacon: false });
    hide();

    expect(world.fetched.map(({ events }) => events.length)).toEqual([1, 1]);
    expect(world.beacons).toEqual([]);
  });

  it.each([null, 429, 503])('waits for the next flush when fetch answers %s, and is not lost', async (status) => {
    world.status = status;
    world.start({ beacon: false });
    open(...Array(9).fill(WORKSHOPS));
    await settle();
    expect(world.fetched).toHaveLength(1);
    open(DETAIL);
    expect(world.fetched).toHaveLength(1);

    world.status = 200;
    await jest.advanceTimersByTimeAsync(60_000);

    expect(world.fetched.map(({ events }) => events.length)).toEqual([10, 10, 1]);
    expect(world.fetched[1]?.events[0]).toMatchObject({ route: '/login', agoMs: 60_000 });
    expect(world.fetched[2]?.events[0]).toMatchObject({ route: DETAIL });
  });

  it('is not sent again when the gateway refused what it says', async () => {
    world.status = 400;
    world.start({ beacon: false });
    hide();
    await jest.advanceTimersByTimeAsync(120_000);

    expect(world.fetched).toHaveLength(1);
  });

  it('waits offline, the newest hundred events at most, and goes in tens', () => {
    setNavigator('onLine', false);
    world.start();
    open(...Array(150).fill(WORKSHOPS), DETAIL);
    jest.advanceTimersByTime(120_000);
    expect(world.beacons).toEqual([]);

    setNavigator('onLine', true);
    jest.advanceTimersByTime(60_000);

    expect(world.beacons.map(({ events }) => events.length)).toEqual(Array(10).fill(10));
    expect(world.told().at(-1)).toMatchObject({ route: DETAIL });
    expect(world.told()[0]).toMatchObject({ route: WORKSHOPS });
  });

  it('holds nothing older than a day', () => {
    setNavigator('onLine', false);
    world.start();
    jest.advanceTimersByTime(86_400_001);
    open(WORKSHOPS);
    setNavigator('onLine', true);
    hide();

    expect(world.told()).toEqual([{ kind: 'pageView', route: WORKSHOPS, agoMs: 0 }]);
  });

  it('holds nothing of the future when a clock is set back', () => {
    jest.setSystemTime(new Date('2026-11-21T10:00:00Z'));
    world.start();
    jest.setSystemTime(new Date('2026-11-21T09:00:00Z'));
    hide();

    expect(world.told()).toEqual([{ kind: 'pageView', route: '/login', agoMs: 0 }]);
  });

  it('is far from 64 KB even when everything in it is as long as it may be', () => {
    world.start({}, { opened: [], origin: { source: '源'.repeat(64), eventCode: '事'.repeat(64) } });
    open(`/${'a'.repeat(40)}/${'b'.repeat(40)}/${'c'.repeat(40)}`);
    document.body.innerHTML = `<button data-track="${'x'.repeat(64)}">Start</button>`;
    for (let clicks = 0; clicks < 9; clicks += 1) document.querySelector('button')?.click();

    expect(world.told()).toHaveLength(10);
    expect(new Blob([JSON.stringify(world.beacons[0])]).size).toBeLessThan(8_192);
  });
});

describe('a visit', () => {
  it('has one random number a tab, over reloads', () => {
    world.start();
    hide();
    world.start();
    hide();

    const [first, second] = world.beacons;
    expect(first?.visitId).toMatch(UUID);
    expect(second?.visitId).toBe(first?.visitId);
    window.sessionStorage.clear();
    world.start();
    hide();
    expect(world.beacons[2]?.visitId).not.toBe(first?.visitId);
  });

  it.each([
    ['is forbidden', 'getItem'],
    ['is full', 'setItem'],
  ] as const)('has one where storage %s', (_, broken) => {
    jest.spyOn(Storage.prototype, broken).mockImplementation(() => {
      throw new DOMException('denied', 'SecurityError');
    });
    world.start();
    hide();

    expect(world.beacons[0]?.visitId).toMatch(UUID);
  });

  it('says what link brought it, unless the link’s words could be somebody’s', () => {
    world.start({}, { origin: { source: 'campus', eventCode: '春招_2026' } });
    hide();
    world.start({}, { opened: ['/login'], origin: { source: 'li.hua@school.edu.cn', eventCode: '13912345678' } });
    hide();

    expect(world.beacons[0]).toMatchObject({ source: 'campus', eventCode: '春招_2026' });
    expect(Object.keys(world.beacons[1] ?? {})).toEqual(['visitId', 'events']);
  });

  it.each([
    ['Do Not Track', 'doNotTrack', '1', null],
    ['Global Privacy Control', 'globalPrivacyControl', true, undefined],
  ] as const)('is not told of where the browser asks by %s', (_, name, asked, otherwise) => {
    setNavigator(name, asked);
    world.start();
    setNavigator(name, otherwise);
    hide();
    jest.advanceTimersByTime(60_000);

    expect(world.beacons).toEqual([]);
    expect(window.sessionStorage).toHaveLength(0);
    expect(world.page.onOpen).toBeUndefined();
  });

  it('is told of once where the program is loaded twice', () => {
    world.start();
    startTracker(world.page);
    hide();

    expect(world.told()).toHaveLength(1);
  });
});
