import { existsSync } from 'node:fs';
import { join } from 'node:path';
import access from '../src/access';
import enUS from '../src/locales/en-US/menu';
import routes, { type RouteConfig } from './routes';

const flat = (list: RouteConfig[], parents: string[] = []): { route: RouteConfig; names: string[] }[] =>
  list.flatMap((route) => {
    const names = route.name ? [...parents, route.name] : parents;
    return [{ route, names }, ...flat(route.routes ?? [], names)];
  });
const all = flat(routes);
const find = (path: string) => all.find(({ route }) => route.path === path && !route.routes)?.route;

interface Row {
  isHidden?: true;
  isBare?: true;
  isGroup?: true;
  redirect?: string;
}

/** Section 2 of the specification, row by row: every route is in the frame and in the menu unless its row says otherwise. */
const specified: Readonly<Record<string, Row>> = {
  '/': { isHidden: true },
  '/homeTopicResearch': { isHidden: true },
  '/homeMyLab': { isHidden: true },
  '*': { redirect: '/404' },
  '/404': { isBare: true },
  '/login': { isBare: true },
  '/main': { redirect: '/main/topicResearch/square' },
  '/main/topicResearch/square': {},
  '/main/topicResearch/square/detail/:projectId': { isHidden: true },
  '/main/topicResearch/project': {},
  '/main/myLab': { isGroup: true },
  '/main/myLab/workshop': {},
  '/main/myLab/instances': {},
  '/main/myLab/knowledge': {},
  '/main/myLab/images': {},
  '/main/myLab/datasets': {},
  '/success': { isHidden: true },
  '/main/personalCenter/accountSettings': { isHidden: true },
  '/main/personalCenter/costCenter': { isGroup: true },
  '/main/personalCenter/costCenter/account': {},
  '/main/personalCenter/costCenter/coupon': {},
  '/main/personalCenter/costCenter/order': {},
  '/main/personalCenter/costCenter/bill': {},
  '/main/personalCenter/costCenter/membership': {},
  '/main/personalCenter/pointsCenter': { isHidden: true },
};

describe('the routes', () => {
  it.each(Object.entries(specified))('declare %s as specified: %j', (path, row) => {
    const route = all.find((one) => one.route.path === path && (one.route.routes !== undefined) === (row.isGroup === true))?.route;

    expect(route).toBeDefined();
    expect(route?.layout).toBe(row.isBare || path === '*' ? false : undefined);
    if (row.redirect) {
      expect(route).toMatchObject({ redirect: row.redirect });
      return;
    }
    expect(route?.name).toBeDefined();
    // A page that is not built yet leads on, and is never shown in the menu; what stands outside the frame has no menu.
    if (!row.isBare && !row.isGroup)
      expect(route?.hideInMenu ?? false).toBe(row.isHidden === true || route?.redirect !== undefined);
  });

  it('hide a group only while none of its pages is shown', () => {
    for (const { route } of all.filter(({ route: { routes } }) => routes)) {
      const isShown = (route.routes ?? []).some((page) => page.name && !page.hideInMenu && !page.redirect);
      expect({ path: route.path, isHidden: route.hideInMenu ?? false }).toEqual({ path: route.path, isHidden: !isShown });
    }
  });

  it('stand in the frame, but for /login, /404 and what leads to them', () => {
    const bare = all.filter(({ route }) => route.layout === false).map(({ route }) => route.path);

    expect(bare).toEqual(['/login', '/register', '/forgetPassword', '/404', '*']);
  });

  it.each([
    ['*', '/404'],
    ['/main', '/main/topicResearch/square'],
    ['/main/myLab', '/main/myLab/workshop'],
    ['/main/personalCenter/costCenter', '/main/personalCenter/costCenter/account'],
    ['/main/personalCenter', '/main/personalCenter/accountSettings'],
    ['/main/topicResearch', '/main/topicResearch/square'],
    ['/register', '/login?view=register'],
    ['/forgetPassword', '/login?view=reset'],
  ])('lead %s to %s', (path, redirect) => {
    expect(find(path)?.redirect).toBe(redirect);
  });

  it('name pages by their folder: the URL without its parameters', () => {
    for (const { route } of all.filter(({ route: { component } }) => component)) {
      const folder = route.path === '/' ? '/home' : route.path.replace(/\/:[^/]+/g, '');
      expect(route.component).toBe(`.${folder}`);
      expect(existsSync(join(__dirname, '../src/pages', folder, 'index.tsx'))).toBe(true);
    }
  });

  it('ask only for access that access.ts knows', () => {
    const known = Object.keys(access(undefined));

    for (const { route } of all) if (route.access) expect(known).toContain(route.access);
  });

  it('end at a page, wherever they lead', () => {
    for (const { route } of all.filter(({ route: { redirect } }) => redirect)) {
      let place: RouteConfig | undefined = route;
      for (let step = 0; place?.redirect && step < 5; step += 1) place = find(place.redirect.split('?')[0] ?? '');
      expect(place?.component).toBeDefined();
    }
  });

  it('have a title in the menu’s words', () => {
    for (const { route, names } of all) if (route.name) expect(Object.keys(enUS)).toContain(`menu.${names.join('.')}`);
  });
});
