import { TestBrowser } from '@@/testBrowser';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { history } from '@umijs/max';
import Cookies from 'js-cookie';
import { getInitialState } from './app';
import { buildOverview, buildUser } from './testing/builders';
import { answerCalls, noGateway, refusal, success } from './testing/gateway';
import { emptyUser } from './utils/emptyUser';

const ACCOUNT = '/main/personalCenter/costCenter/account';
const unauthorized = refusal(10004, 'Please sign in to go on.', { status: 401 });
const patience = { timeout: 15_000 };
let mockAccess: string | undefined;

// No page asks for more than a signed-in member yet: here the account page does.
jest.mock('@@/core/route', () => {
  const actual = jest.requireActual('@@/core/route');
  return {
    ...actual,
    getRoutes: async () => {
      const found = await actual.getRoutes();
      const routes = Object.values(found.routes as Record<string, { path: string; access?: string }>);
      for (const route of routes) if (route.path.endsWith('/costCenter/account')) route.access = mockAccess ?? route.access;
      return found;
    },
  };
});

afterEach(() => {
  mockAccess = undefined;
  cleanup();
  Cookies.remove('sessionId', { path: '/' });
});

describe('the start', () => {
  it('asks once for the member of the login session, with the init flag', async () => {
    const made = answerCalls({ 'GET /gateway/user/getUserBySession': success(buildUser()) });

    await expect(getInitialState()).resolves.toEqual({ currentUser: buildUser() });

    expect(made.map(({ key, url }) => `${key}${url.search}`)).toEqual(['GET /gateway/user/getUserBySession?isInit=true']);
  });

  it.each([
    ['the network is down', noGateway],
    ['nobody is signed in', () => answerCalls(() => unauthorized)],
    ['the gateway fails', () => answerCalls(() => refusal(50000, 'Ours.', { status: 500 }))],
  ])('falls back to the empty user when %s', async (_, prepare) => {
    prepare();

    await expect(getInitialState()).resolves.toEqual({ currentUser: emptyUser });
    expect(screen.queryByText('Ours.')).not.toBeInTheDocument();
  });
});

describe('the app', () => {
  it('leads an unknown path to the page that says so, with a way home', async () => {
    answerCalls(() => unauthorized);

    render(<TestBrowser location={{ pathname: '/no/such/place' }} />);

    expect(await screen.findByText('Sorry, the page you visited does not exist or has been deleted', {}, patience)).toBeVisible();
    expect(history.location.pathname).toBe('/404');
    expect(screen.getByRole('button', { name: 'Back home' })).toBeVisible();
  });

  it('sends a visitor of a member’s page to sign in, and remembers the page', async () => {
    answerCalls(() => unauthorized);

    render(<TestBrowser location={{ pathname: ACCOUNT, search: '?kind=usage' }} />);

    expect(await screen.findByRole('heading', { name: 'Sign in' }, patience)).toBeVisible();
    expect(history.location.search).toBe(`?redirect=${encodeURIComponent(`${ACCOUNT}?kind=usage`)}`);
  });

  it('leads past the frame by its first link, and leaves the address alone', async () => {
    answerCalls(() => unauthorized);
    render(<TestBrowser location={{ pathname: '/terms' }} />);
    await screen.findByRole('heading', { level: 1, name: 'Terms of Service' }, patience);

    const skip = screen.getByRole('link', { name: 'Skip to the content' });
    expect(screen.getAllByRole('link')[0]).toBe(skip);
    act(() => skip.click());

    expect(document.activeElement).toContainElement(screen.getByRole('heading', { name: 'Terms of Service' }));
    expect(document.activeElement).toHaveAttribute('id', 'content');
    expect(history.location.hash).toBe('');
    expect(screen.getAllByRole('heading', { level: 1 })).toHaveLength(1);
  });

  it('leads a member whose session ended to /login, back from where they were', async () => {
    Cookies.set('sessionId', 'selector', { path: '/' });
    let isOver = false;
    answerCalls(({ key }) => {
      if (isOver) return unauthorized;
      if (key === 'GET /gateway/user/getUserBySession') return success(buildUser());
      return key === 'GET /gateway/account/overview' ? success(buildOverview()) : success({ list: [], total: 0 });
    });
    render(<TestBrowser location={{ pathname: ACCOUNT }} />);
    expect(await screen.findByRole('heading', { name: 'My Account' }, patience)).toBeVisible();

    isOver = true;
    act(() => {
      window.dispatchEvent(new Event('focus'));
    });

    expect(await screen.findByText('Please sign in to go on.', {}, patience)).toBeVisible();
    expect(await screen.findByRole('heading', { name: 'Sign in' }, patience)).toBeVisible();
    expect(screen.getAllByText('Please sign in to go on.')).toHaveLength(1);
    await waitFor(() => expect(history.location.search).toBe(`?redirect=${encodeURIComponent(ACCOUNT)}`));
    expect(Cookies.get('sessionId')).toBeUndefined();
  });
});

async function openAccount(accessKey: string, flags: { isRealName?: boolean } = {}) {
  mockAccess = accessKey;
  Cookies.set('sessionId', 'selector', { path: '/' });
  answerCalls({
    'GET /gateway/user/getUserBySession': success(buildUser(flags)),
    'GET /gateway/account/overview': success(buildOverview()),
    'POST /gateway/dcuChange/pageFind': success({ list: [], total: 0 }),
  });
  render(<TestBrowser location={{ pathname: ACCOUNT }} />);
}

describe('a page the member may not see', () => {
  it.each([
    ['canPublishImage', 'Real-name verification.', 'Verify my real name', '/main/personalCenter/accountSettings?tab=realName'],
    [
      'canSeeStudentPrices',
      'Student verification with an education mailbox.',
      'Verify that I study',
      '/main/personalCenter/accountSettings?tab=student',
    ],
    [
      'canRunSeveralLabs',
      'A membership of level 1 (Standard) or higher.',
      'See memberships',
      '/main/personalCenter/costCenter/membership',
    ],
  ])('that asks for %s says so, what would open it and the way there', async (key, words, way, path) => {
    await openAccount(key);

    expect(await screen.findByRole('heading', { name: 'Sorry, you do not have access permissions' })).toBeVisible();
    expect(screen.getByText(words, { exact: false })).toBeVisible();
    expect(screen.getByRole('link', { name: way })).toHaveAttribute('href', path);
    expect(screen.queryByRole('heading', { name: 'My Account' })).not.toBeInTheDocument();
  });

  it('opens to who has what it takes', async () => {
    await openAccount('canPublishImage', { isRealName: true });

    expect(await screen.findByRole('heading', { name: 'My Account' })).toBeVisible();
    expect(screen.queryByText(/access permissions/)).not.toBeInTheDocument();
  });
});
