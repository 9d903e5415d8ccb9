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

/** Section 2 of the specification: route → hidden from the menu. */
const specified: Record<string, boolean> = {
  '/': true,
  '/homeTopicResearch': true,
  '/homeMyLab': true,
  '/main/topicResearch/square': false,
  '/main/topicResearch/square/detail/:projectId': true,
  '/main/topicResearch/project': false,
  '/main/myLab/workshop': false,
  '/main/myLab/instances': false,
  '/main/myLab/knowledge': false,
  '/main/myLab/images': false,
  '/main/myLab/datasets': false,
  '/success': true,
  '/main/personalCenter/accountSettings': true,
  '/main/personalCenter/costCenter/account': false,
  '/main/personalCenter/costCenter/coupon': false,
  '/main/personalCenter/costCenter/order': false,
  '/main/personalCenter/costCenter/bill': false,
  '/main/personalCenter/costCenter/membership': false,
  '/main/personalCenter/pointsCenter': true,
};

describe('the routes', () => {
  it.each(Object.entries(specified))('declare %s, hidden from the menu: %s', (path, isHidden) => {
    const route = find(path);

    expect(route).toBeDefined();
    // A page that is not built yet leads on, and is never shown in the menu.
    expect(route?.hideInMenu ?? false).toBe(isHidden || route?.redirect !== undefined);
    expect(route?.name).toBeDefined();
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
