/** A route as Umi reads it; `name` is the last part of its menu and title message (`menu.myLab.workshop`). */
export interface RouteConfig {
  path: string;
  name?: string;
  icon?: string;
  component?: string;
  redirect?: string;
  access?: string;
  layout?: false;
  hideInMenu?: boolean;
  parentKeys?: string[];
  keepQuery?: boolean;
  routes?: RouteConfig[];
}

const workshop = '/main/myLab/workshop';
const account = '/main/personalCenter/costCenter/account';

/** Routes whose page is not built yet, and the nearest built page each leads to. Building a page removes its line here, nothing else. */
const awaitingPage: Readonly<Record<string, string>> = {
  '/': workshop,
  '/homeTopicResearch': workshop,
  '/homeMyLab': workshop,
  '/main/topicResearch/square': workshop,
  '/main/topicResearch/square/detail/:projectId': workshop,
  '/main/topicResearch/project': workshop,
  '/main/myLab/knowledge': workshop,
  '/main/myLab/datasets': workshop,
  '/main/myLab/datasets/detail/:datasetId': workshop,
};

/** A page: its folder under `src/pages` is its URL without parameters. Not yet built, it leads on and stays out of the menu. */
function page(path: string, options: Omit<RouteConfig, 'path' | 'component' | 'redirect'> = {}): RouteConfig {
  const redirect = awaitingPage[path];
  if (redirect !== undefined) return { path, redirect, name: options.name, hideInMenu: true };
  return { path, component: `.${path === '/' ? '/home' : path.replace(/\/:[^/]+/g, '')}`, ...options };
}

/** A page of a signed-in member. */
function memberPage(path: string, options: Parameters<typeof page>[1] = {}): RouteConfig {
  return page(path, { access: 'isSignedIn', ...options });
}

/** A menu group; without a page to show it stays out of the menu. */
function group(path: string, name: string, icon: string, routes: RouteConfig[]): RouteConfig {
  const isEmpty = routes.every((route) => route.hideInMenu || route.redirect !== undefined);
  return { path, name, icon, routes, ...(isEmpty ? { hideInMenu: true } : {}) };
}

function redirect(path: string, to: string): RouteConfig {
  return { path, redirect: to };
}

const topicResearch = group('/main/topicResearch', 'topicResearch', 'ReadOutlined', [
  redirect('/main/topicResearch', '/main/topicResearch/square'),
  page('/main/topicResearch/square', { name: 'square', icon: 'AppstoreOutlined' }),
  page('/main/topicResearch/square/detail/:projectId', { name: 'topicDetail', hideInMenu: true }),
  memberPage('/main/topicResearch/project', { name: 'project', icon: 'ProjectOutlined' }),
]);

const myLab = group('/main/myLab', 'myLab', 'ExperimentOutlined', [
  redirect('/main/myLab', workshop),
  memberPage(workshop, { name: 'workshop', icon: 'DesktopOutlined' }),
  memberPage(`${workshop}/detail/:workshopId`, { name: 'workshopDetail', hideInMenu: true, parentKeys: [workshop] }),
  memberPage('/main/myLab/instances', { name: 'instances', icon: 'HistoryOutlined' }),
  memberPage('/main/myLab/knowledge', { name: 'knowledge', icon: 'BookOutlined' }),
  memberPage('/main/myLab/images', { name: 'images', icon: 'ContainerOutlined' }),
  memberPage('/main/myLab/datasets', { name: 'datasets', icon: 'DatabaseOutlined' }),
  memberPage('/main/myLab/datasets/detail/:datasetId', { name: 'datasetDetail', hideInMenu: true }),
]);

const costCenter = group('/main/personalCenter/costCenter', 'costCenter', 'WalletOutlined', [
  redirect('/main/personalCenter/costCenter', account),
  memberPage(account, { name: 'account', icon: 'AccountBookOutlined' }),
  memberPage('/main/personalCenter/costCenter/coupon', { name: 'coupon', icon: 'TagOutlined' }),
  memberPage('/main/personalCenter/costCenter/order', { name: 'order', icon: 'ShoppingOutlined' }),
  memberPage('/main/personalCenter/costCenter/checkout', { name: 'checkout', hideInMenu: true }),
  memberPage('/main/personalCenter/costCenter/bill', { name: 'bill', icon: 'FileTextOutlined' }),
  memberPage('/main/personalCenter/costCenter/membership', { name: 'membership', icon: 'CrownOutlined' }),
]);

/** Every screen of the product. The menu shows what has a name and is not hidden. */
const routes: RouteConfig[] = [
  { ...page('/login', { name: 'login' }), layout: false },
  { ...redirect('/register', '/login?view=register'), layout: false },
  { ...redirect('/forgetPassword', '/login?view=reset'), layout: false },
  { ...page('/404', { name: 'notFound' }), layout: false },
  page('/', { name: 'home', hideInMenu: true }),
  page('/homeTopicResearch', { name: 'homeTopicResearch', hideInMenu: true }),
  page('/homeMyLab', { name: 'homeMyLab', hideInMenu: true }),
  page('/terms', { name: 'terms', hideInMenu: true }),
  page('/privacy', { name: 'privacy', hideInMenu: true }),
  page('/docs', { name: 'docs', hideInMenu: true }),
  page('/docs/editor-extension', { name: 'editorExtension', hideInMenu: true }),
  redirect('/main', '/main/topicResearch/square'),
  topicResearch,
  myLab,
  costCenter,
  redirect('/main/personalCenter', '/main/personalCenter/accountSettings'),
  memberPage('/main/personalCenter/accountSettings', { name: 'accountSettings', hideInMenu: true }),
  memberPage('/main/personalCenter/pointsCenter', { name: 'pointsCenter', hideInMenu: true }),
  memberPage('/success', { name: 'success', hideInMenu: true }),
  { ...redirect('*', '/404'), layout: false },
];

export default routes;
