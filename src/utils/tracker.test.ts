import type { RouteConfig } from '../../config/routes';
import routes from '../../config/routes';
import { routePattern, trackLimits } from '../../gateway/contract/trackLimits';
import { startTracker } from './tracker';
import { trackPage } from './trackPage';

const LAB = '0190163d-8c5e-7b1a-9f00-5f1d2c3b4a59';
const WORKSHOPS = '/main/myLab/workshop';

/** Umi's two views of `config/routes`: by id, and nested for its router. */
const byId: Record<string, { path?: string; redirect?: string }> = {};
const nested = (list: RouteConfig[]): object[] =>
  list.map((route) => {
    const id = String(Object.keys(byId).length);
    byId[id] = { path: route.path, redirect: route.redirect };
    return { id, path: route.path, ...(route.routes ? { children: nested(route.routes) } : {}) };
  });
const clientRoutes = nested(routes);
const flat = (list: RouteConfig[]): RouteConfig[] => list.flatMap((route) => [route, ...flat(route.routes ?? [])]);

const open = (pathname: string) => trackPage({ routes: byId, clientRoutes, location: { pathname } });
const opened = () => window.atelierTracker?.opened;

describe('the usage tracker', () => {
  beforeEach(() => {
    document.head.innerHTML = '';
    window.localStorage.setItem('source', 'campus');
    startTracker();
  });
  afterEach(() => {
    window.localStorage.removeItem('source');
    delete window.atelierTracker;
    // The page the next test starts from.
    startTracker();
    open('/terms');
    delete window.atelierTracker;
  });

  it('is loaded from its fixed path beside the page, with the specification’s settings', () => {
    const scripts = [...document.head.querySelectorAll('script')];

    expect(scripts.map((script) => script.getAttribute('src'))).toEqual(['/tracker/tracker.js']);
    expect(scripts[0]?.async).toBe(true);
    expect(window.atelierTracker).toEqual({
      settings: {
        batchSize: 10,
        flushMs: 60_000,
        beacon: true,
        pageViews: true,
        clicks: true,
        errors: true,
        performance: false,
      },
      origin: { source: 'campus' },
      opened: [],
    });
  });

  it('is told patterns, never addresses', () => {
    open('/login');
    open(`${WORKSHOPS}/detail/${LAB}`);

    expect(opened()).toEqual(['/login', `${WORKSHOPS}/detail/:workshopId`]);
  });

  it('is told of two of the same kind, and not of a page whose query alone changed', () => {
    open(`${WORKSHOPS}/detail/${LAB}`);
    open(`${WORKSHOPS}/detail/${LAB}`);
    open(`${WORKSHOPS}/detail/${LAB.replace('0190', '0191')}`);

    expect(opened()).toHaveLength(2);
  });

  it('is not told of addresses that only lead on', () => {
    for (const pathname of ['/main', '/main/myLab', '/register', '/no/such/place']) open(pathname);

    expect(opened()).toEqual([]);
  });

  it('hears pages itself once its program is there', () => {
    const onOpen = jest.fn();
    Object.assign(window.atelierTracker ?? {}, { onOpen });
    open(WORKSHOPS);

    expect(onOpen.mock.calls).toEqual([[WORKSHOPS]]);
    expect(opened()).toEqual([]);
  });

  it('leaves no growing list behind where its program never loads', () => {
    for (let visits = 0; visits < 50; visits += 1) open(`${WORKSHOPS}/detail/${visits}`);

    expect(opened()).toHaveLength(10);
  });

  it('may tell every page there is', () => {
    const pattern = new RegExp(routePattern, 'u');
    const paths = flat(routes).flatMap(({ path, component }) => (component ? [path] : []));

    expect(paths.length).toBeGreaterThan(5);
    for (const { path } of flat(routes).filter((route) => route.path !== '*')) {
      expect({ path, fits: pattern.test(path) && path.length <= trackLimits.routeLength }).toEqual({ path, fits: true });
    }
  });
});
