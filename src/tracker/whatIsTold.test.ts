import { buildTrackerWorld, type TrackerWorld } from './trackerWorld';

const LAB = '0190163d-8c5e-7b1a-9f00-5f1d2c3b4a59';
const WORKSHOPS = '/main/myLab/workshop';

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

/** Everything told, as the page goes. */
function told() {
  window.dispatchEvent(new Event('pagehide'));
  return world.told();
}
const ofKind = (kind: string) => told().filter((event) => event.kind === kind);

describe('page views', () => {
  it('are the patterns of the pages opened, those before the program was there first', () => {
    world.start({}, { opened: ['/login', WORKSHOPS] });
    world.page.onOpen?.(`${WORKSHOPS}/detail/:workshopId`);

    expect(told().map(({ route }) => route)).toEqual(['/login', WORKSHOPS, `${WORKSHOPS}/detail/:workshopId`]);
    expect(world.page.opened).toEqual([]);
  });

  it.each([`${WORKSHOPS}/detail/${LAB}`, '/login?redirect=%2Fmain', 'https://elsewhere.example/', '*', '', '/a/'.repeat(60)])(
    'are not told of %s, nor is anything that happens there',
    (address) => {
      world.start({}, { opened: [] });
      document.body.innerHTML = '<button id="start-lab">Start</button>';
      world.page.onOpen?.(address);
      document.querySelector('button')?.click();

      expect(told()).toEqual([]);
    },
  );
});

describe('clicks', () => {
  const click = (html: string) => {
    world.start({ pageViews: false });
    document.body.innerHTML = html;
    document.querySelector<HTMLElement>('i')?.click();
    return told().map(({ element }) => element);
  };

  it.each([
    ['its own id', '<i id="start-lab">Start linear regression of Li Hua</i>', 'start-lab'],
    ['the nearest element with one', '<nav id="menu"><button id="start-lab"><b><i>Start</i></b></button></nav>', 'start-lab'],
    ['data-track before the id', '<button id="a" data-track="stop-lab"><i>Stop</i></button>', 'stop-lab'],
    ['the next one where an id is generated', '<nav id="menu"><b id="rc_select_3"><i id=":r1:">x</i></b></nav>', 'menu'],
    ['the next one where an id is a lab’s', `<nav id="menu"><i id="lab-${LAB}">x</i></nav>`, 'menu'],
  ])('are told by %s', (_, html, element) => {
    expect(click(html)).toEqual([element]);
  });

  it.each([
    ['without any id', '<div><i>x</i></div>'],
    ['in a region of the page', '<div id="root"><div id="content"><i>x</i></div></div>'],
    ['with generated ids alone', `<div id="rc-tabs-more"><i id="react-aria-12">x</i></div>`],
  ])('are not told %s', (_, html) => {
    expect(click(html)).toEqual([]);
  });

  it('reach the tracker even where the page stops them', () => {
    world.start({ pageViews: false });
    document.body.innerHTML = '<button id="start-lab">Start</button>';
    const button = document.querySelector('button');
    button?.addEventListener('click', (event) => event.stopImmediatePropagation());
    button?.click();

    expect(told()).toMatchObject([{ kind: 'click', element: 'start-lab', route: '/login' }]);
  });
});

describe('errors', () => {
  const SCRIPT = 'http://localhost:8000/dist/umi.1a2b3c4d.js';

  function fail(reason: unknown, filename = `${SCRIPT}?v=1`): void {
    const message = reason instanceof Error ? reason.message : String(reason);
    window.dispatchEvent(new ErrorEvent('error', { error: reason, message, filename, lineno: 1, colno: 4711 }));
  }
  function reject(reason: unknown): void {
    window.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason }));
  }

  it('are told by type and place, never by a word of their message', () => {
    world.start();
    fail(new RangeError('no lab named “thesis of Li Hua”, call 13912345678'));

    expect(ofKind('error')).toEqual([
      { kind: 'error', route: '/login', agoMs: 0, errorType: 'RangeError', file: 'umi.1a2b3c4d.js', line: 1, column: 4711 },
    ]);
    expect(JSON.stringify(world.beacons)).not.toMatch(/thesis|Hua|139|localhost/);
  });

  it('are told of promises nobody waited for, by the first of our own scripts on their stack', () => {
    const reason = new TypeError('x of undefined');
    reason.stack = `TypeError: x of undefined\n    at ${SCRIPT}:2:99\n    at http://localhost:8000/dist/p__login.js:1:1`;
    world.start();
    reject(reason);
    reject('a text with 13912345678');

    expect(ofKind('error')).toMatchObject([
      { errorType: 'TypeError', file: 'umi.1a2b3c4d.js', line: 2, column: 99 },
      { errorType: 'Error' },
    ]);
    expect(ofKind('error')[1]).not.toHaveProperty('file');
  });

  it('have no words for a type', () => {
    world.start();
    fail(Object.assign(new Error('x'), { name: 'li.hua@school.edu.cn failed' }));

    expect(ofKind('error')).toMatchObject([{ errorType: 'Error' }]);
  });

  it('of extensions and other sites’ scripts are not told', () => {
    world.start();
    fail(new Error('x'), 'chrome-extension://abcdef/content.js');
    fail(new Error('x'), 'https://elsewhere.example/ads.js');

    expect(ofKind('error')).toEqual([]);
  });

  it('are told once a page, ten different ones at most', () => {
    world.start();
    for (let times = 0; times < 50; times += 1) fail(new Error('again'));
    for (let index = 0; index < 50; index += 1) fail(new Error('other'), `http://localhost:8000/dist/p${index}.js`);
    expect(ofKind('error')).toHaveLength(10);

    world.page.onOpen?.(WORKSHOPS);
    fail(new Error('again'));

    expect(ofKind('error')).toHaveLength(11);
  });

  it('of the tracker itself never reach the page', () => {
    const seen = jest.fn();
    window.addEventListener('error', seen);
    world.start();
    jest.spyOn(JSON, 'stringify').mockImplementation(() => {
      throw new Error('no memory');
    });

    expect(() => world.page.onOpen?.(WORKSHOPS)).not.toThrow();
    expect(() => window.dispatchEvent(new Event('pagehide'))).not.toThrow();
    expect(seen).not.toHaveBeenCalled();
  });
});

describe('what the settings switch off', () => {
  it.each(['pageViews', 'clicks', 'errors'] as const)('is not told: %s', (setting) => {
    // Jest takes an error that nothing listens for as the test's own.
    window.addEventListener('error', () => undefined);
    world.start({ [setting]: false });
    document.body.innerHTML = '<button id="start-lab">Start</button>';
    document.querySelector('button')?.click();
    window.dispatchEvent(new ErrorEvent('error', { error: new Error('x') }));

    const kinds = { pageViews: 'pageView', clicks: 'click', errors: 'error' };
    expect(told().map(({ kind }) => kind)).toEqual(Object.values(kinds).filter((kind) => kind !== kinds[setting]));
  });

  it('is what the browser measured, unless it is switched on', async () => {
    const entries = jest.fn((): object[] => [{ responseStart: 12.4, domContentLoadedEventEnd: 350, loadEventEnd: 420.6 }]);
    const paints = jest.fn((): object[] => [{ startTime: 300.2 }]);
    Object.assign(performance, { getEntriesByType: entries, getEntriesByName: paints });
    world.start();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(ofKind('timing')).toEqual([]);
    expect(entries).not.toHaveBeenCalled();

    world.start({ performance: true });
    await jest.advanceTimersByTimeAsync(1_000);

    expect(ofKind('timing').map(({ timing, durationMs }) => [timing, durationMs])).toEqual([
      ['firstByte', 12],
      ['firstPaint', 300],
      ['domReady', 350],
      ['loaded', 421],
    ]);
  });
});
