import { matchRoutes } from '@umijs/max';

/** As much of Umi's route change as is needed; it types it as any. */
interface RouteChange {
  routes: Readonly<Record<string, { path?: string; redirect?: string } | undefined>>;
  clientRoutes: NonNullable<Parameters<typeof matchRoutes>[0]>;
  location: { pathname: string };
}

let openedPathname = '';

/** Tells the tracker that another page was opened: its pattern, never its address. A change of the query alone opens no page. */
export function trackPage({ routes, clientRoutes, location: { pathname } }: RouteChange): void {
  const page = window.atelierTracker;
  if (!page || pathname === openedPathname) return;
  openedPathname = pathname;
  const leaf: { path?: string; id?: string } | undefined = matchRoutes(clientRoutes, pathname)?.at(-1)?.route;
  const { path, redirect } = routes[leaf?.id ?? ''] ?? {};
  if (path === undefined || redirect !== undefined) return;
  if (page.onOpen) page.onOpen(path);
  else if (page.opened.length < page.settings.batchSize) page.opened.push(path);
}
