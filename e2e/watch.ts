import type { Page, Request } from '@playwright/test';

export interface Watch {
  /** Everything wrong that the page said or asked for so far. */
  problems(): string[];
  requests(): readonly Request[];
  /** Nothing is asked for, and nothing was for so long. */
  isQuietForMs(quietMs: number): boolean;
}

/** A visitor's first look for a login session is answered 401, which the browser notes by itself. */
const VISITORS_LOOK = '/gateway/user/getUserBySession?isInit=true';

/**
 * Notes what must never happen on a page that works: errors and warnings on the console (violations of the content security policy
 * among them), failed or refused requests, requests to hosts that are not ours.
 */
export function watchPage(page: Page, origins: readonly string[]): Watch {
  const problems: string[] = [];
  const requests: Request[] = [];
  const open = new Set<Request>();
  let movedAt = performance.now();
  const close = (request: Request) => {
    open.delete(request);
    movedAt = performance.now();
  };
  const isVisitorsLook = (address: string) => origins.some((origin) => address === `${origin}${VISITORS_LOOK}`);

  page.on('pageerror', (error) => problems.push(`uncaught: ${error.message}`));
  page.on('console', (message) => {
    if (!['error', 'warning', 'assert'].includes(message.type()) || isVisitorsLook(message.location().url)) return;
    problems.push(`console ${message.type()}: ${message.text()} (${message.location().url})`);
  });
  page.on('request', (request) => {
    requests.push(request);
    open.add(request);
    movedAt = performance.now();
    const { protocol, origin } = new URL(request.url());
    if (!['data:', 'blob:'].includes(protocol) && !origins.includes(origin)) problems.push(`asked ${request.url()}`);
  });
  page.on('requestfinished', close);
  page.on('requestfailed', (request) => {
    close(request);
    // What a page no longer waits for, because it was left, did not fail.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED')
      problems.push(`failed ${request.url()}: ${request.failure()?.errorText}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400 && !(response.status() === 401 && isVisitorsLook(response.url()))) {
      problems.push(`${response.status()} ${response.url()}`);
    }
  });
  return {
    problems: () => [...problems],
    requests: () => requests,
    isQuietForMs: (quietMs) => open.size === 0 && performance.now() - movedAt >= quietMs,
  };
}
