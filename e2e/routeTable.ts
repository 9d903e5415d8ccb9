import routes, { type RouteConfig } from '../config/routes';
import enUS from '../src/locales/en-US/menu';
import zhCN from '../src/locales/zh-CN/menu';

export type Language = 'en-US' | 'zh-CN';

export interface Screen {
  path: string;
  /** Null for a route that leads elsewhere. */
  component: string | null;
  isForMembers: boolean;
  isFramed: boolean;
  /** The menu message that names it; null where only redirects have none. */
  titleId: string | null;
  redirect: string | null;
}

/** The routes as they are configured, flat. */
export const screens: readonly Screen[] = flatten(routes, []);

function flatten(list: readonly RouteConfig[], parents: readonly string[]): Screen[] {
  return list.flatMap((route) => {
    const names = route.name ? [...parents, route.name] : parents;
    if (route.routes) return flatten(route.routes, names);
    const { path, component = null, redirect = null } = route;
    const titleId = route.name ? `menu.${names.join('.')}` : null;
    return [{ path, component, redirect, titleId, isForMembers: route.access !== undefined, isFramed: route.layout !== false }];
  });
}

/** The screen at which a path ends, however many redirects it takes. */
export function screenBehind(path: string): Screen {
  const screen = screens.find((candidate) => candidate.path === path);
  if (!screen) throw new Error(`${path} is no route`);
  return screen.redirect === null ? screen : screenBehind(screen.redirect.split('?')[0] ?? '');
}

/** The route's address with its parameters filled in. */
export function addressOf({ path }: Screen, parameters: Readonly<Record<string, string>>): string {
  return path.replace(/:(\w+)/g, (_, name: string) => parameters[name] ?? 'none');
}

export function titleOf({ titleId }: Screen, language: Language): string {
  const words: Readonly<Record<string, string>> = language === 'en-US' ? enUS : zhCN;
  return words[titleId ?? ''] ?? '';
}
