import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import Cookies from 'js-cookie';
import type { LoginSession } from '@/services/user';
import { buildUser } from '@/testing/builders';
import { type Answer, answerCalls, type MadeCall, refusal, success } from '@/testing/gateway';
import { renderPage } from '@/testing/renderPage';
import AccountSettingsPage from './index';

const PATH = '/main/personalCenter/accountSettings';
const CHANGE = 'POST /gateway/user/changePassword';
const LIST = 'GET /gateway/user/loginSessions';
const REVOKE = 'POST /gateway/user/revokeLoginSession';

type Answers = Record<string, Answer | ((call: MadeCall) => Answer)>;

function buildSession(change: Partial<LoginSession> = {}): LoginSession {
  return {
    loginSessionId: 's1',
    isCurrent: false,
    browser: 'Firefox',
    os: 'Linux',
    ip: '203.0.113.8',
    createdAt: '2026-11-20T08:00:00Z',
    lastSeenAt: '2026-11-21T08:00:00Z',
    expiresAt: '2026-11-27T08:00:00Z',
    isKept: false,
    ...change,
  };
}

const here = buildSession({ loginSessionId: 's0', isCurrent: true, browser: 'Chrome', os: 'Windows' });

async function openSettings(tab: string, answers: Answers = {}, user = buildUser()) {
  Cookies.set('sessionId', 'before', { path: '/' });
  const made = answerCalls({ 'GET /gateway/user/getUserBySession': success(user), ...answers });
  renderPage(<AccountSettingsPage />, { at: `${PATH}?tab=${tab}`, route: PATH });
  await screen.findByRole('heading', { name: 'Account Center' });
  return { made, user: userEvent.setup({ delay: null }), bodyOf: (key: string) => made.find((call) => call.key === key)?.body };
}

/** A gateway that keeps a list of sessions. */
function keepingSessions(first: LoginSession[]): Answers {
  let list = first;
  return {
    [LIST]: () => success({ list }),
    [REVOKE]: ({ body }) => {
      const { loginSessionId, others } = body as { loginSessionId?: string; others?: true };
      const left = list.filter((one) => one.isCurrent || (!others && one.loginSessionId !== loginSessionId));
      const endedSessions = list.length - left.length;
      list = left;
      return success({ endedSessions });
    },
  };
}

afterEach(() => {
  cleanup();
  Cookies.remove('sessionId', { path: '/' });
});

describe('account settings', () => {
  it('show who is signed in', async () => {
    await openSettings(
      'profile',
      {},
      buildUser({ levelFlag: 2, packageName: 'Pro', memberExpirationDate: '2027-01-05T00:00:00Z' }),
    );

    const profile = within(screen.getByRole('region', { name: 'Profile' }));
    expect(profile.getByText('lin.hua')).toBeVisible();
    expect(profile.getByText('138****8000')).toBeVisible();
    expect(profile.getByText('Pro')).toBeVisible();
    expect(profile.getByText(/^until Jan/)).toBeVisible();
  });

  it('open at what the address names, keep it there, and begin with the profile where it names nothing', async () => {
    const { user } = await openSettings('nothing', { [LIST]: success({ list: [here] }) });
    expect(screen.getByRole('tab', { name: 'Profile' })).toHaveAttribute('aria-selected', 'true');

    await user.click(screen.getByRole('tab', { name: 'Devices' }));

    expect(await screen.findByText('No other device is signed in.')).toBeVisible();
    expect(screen.getByTestId('place')).toHaveTextContent(`${PATH}?tab=devices`);
  });
});

describe('changing the password', () => {
  const fill = async (user: ReturnType<typeof userEvent.setup>, password = 'copper wing 41 lantern', confirm = password) => {
    for (const [label, words] of [
      ['Current password', 'the old one 7'],
      ['New password', password],
      ['Password again', confirm],
    ] as const) {
      await user.click(screen.getByLabelText(label, { selector: 'input' }));
      await user.paste(words);
    }
    await user.click(screen.getByRole('button', { name: 'Change password' }));
  };

  it('keeps the new session, empties the form and says how many devices were signed out', async () => {
    const { user, bodyOf } = await openSettings('password', {
      [CHANGE]: success({ sessionId: 'after', expiresInDays: 7, endedSessions: 2 }),
    });

    await fill(user);

    const done = (await screen.findByText('Your password is changed')).closest('[role]');
    expect(done).toHaveAttribute('role', 'status');
    expect(done).toHaveTextContent('2 other devices were signed out.');
    expect(Cookies.get('sessionId')).toBe('after');
    expect(screen.getByLabelText('Current password', { selector: 'input' })).toHaveValue('');
    expect(bodyOf(CHANGE)).toEqual({
      oldPassword: 'the old one 7',
      password: 'copper wing 41 lantern',
      confirm: 'copper wing 41 lantern',
    });
  });

  it.each([
    ['a wrong present one', refusal(10110, 'Not your current password.'), 'Current password'],
    ['the one there is', refusal(10111, 'The one you have now.'), 'New password'],
    ['one that is easy to guess', refusal(10106, 'Easy to guess.'), 'New password'],
    ['two that differ', refusal(10108, 'They differ.'), 'Password again'],
  ])('says %s beside its field and stays signed in', async (_, answer, label) => {
    const { user } = await openSettings('password', { [CHANGE]: answer });

    await fill(user);

    expect(await screen.findByText((answer.body as { msg: string }).msg)).toBeVisible();
    expect(screen.getByLabelText(label, { selector: 'input' })).toHaveFocus();
    expect(Cookies.get('sessionId')).toBe('before');
  });

  it('says above the button that one must wait', async () => {
    const { user } = await openSettings('password', { [CHANGE]: refusal(10109, 'Too many failed tries.', { status: 429 }) });

    await fill(user);

    expect(await screen.findByRole('alert')).toHaveTextContent('Too many failed tries.');
  });

  it('asks the gateway nothing while the two differ, and leads who forgot the present one on', async () => {
    const { user, made } = await openSettings('password');

    await fill(user, 'copper wing 41 lantern', 'another one 42');

    expect(await screen.findByText('The two passwords differ')).toBeVisible();
    expect(made.map(({ key }) => key)).not.toContain(CHANGE);
    expect(screen.getByRole('link', { name: /Forgot the current one/ })).toHaveAttribute('href', '/login?view=reset');
  });
});

describe('the devices', () => {
  it('are told one from the other, the present one without a way to sign it out', async () => {
    await openSettings('devices', {
      [LIST]: success({ list: [here, buildSession(), buildSession({ loginSessionId: 's2', browser: '', os: '' })] }),
    });

    const [first, second, third] = await screen.findAllByRole('listitem');
    expect(first).toHaveTextContent(/Chrome on Windows.*This device/);
    expect(within(first as HTMLElement).queryByRole('button')).not.toBeInTheDocument();
    expect(second).toHaveTextContent(/Firefox on Linux.*203\.0\.113\.8.*Signed in Nov 20, 2026.*Last seen Nov 21, 2026/);
    expect(third).toHaveTextContent('Unknown device');
  });

  it('are signed out one by one', async () => {
    const { user, bodyOf } = await openSettings('devices', keepingSessions([here, buildSession()]));

    await user.click(await screen.findByRole('button', { name: 'Sign out Firefox on Linux' }));

    expect(await screen.findByText('No other device is signed in.')).toBeVisible();
    expect(bodyOf(REVOKE)).toEqual({ loginSessionId: 's1' });
    expect(screen.getAllByRole('listitem')).toHaveLength(1);
  });

  it('are signed out all but this one after a question', async () => {
    const list = [here, buildSession(), buildSession({ loginSessionId: 's2', os: 'Android' })];
    const { user, made, bodyOf } = await openSettings('devices', keepingSessions(list));

    await user.click(await screen.findByRole('button', { name: 'Sign out all others' }));
    const question = within(await screen.findByRole('dialog', { name: 'Sign out all other devices?' }));
    expect(question.getByText(/2 other devices have to sign in again/)).toBeVisible();
    expect(made.map(({ key }) => key)).not.toContain(REVOKE);
    await user.click(question.getByRole('button', { name: 'Sign out all others' }));

    expect(await screen.findByText('No other device is signed in.')).toBeVisible();
    expect(bodyOf(REVOKE)).toEqual({ others: true });
    await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(1));
  });

  it('count as signed out when another was faster', async () => {
    let list = [here, buildSession()];
    const { user } = await openSettings('devices', {
      [LIST]: () => success({ list }),
      [REVOKE]: () => {
        list = [here];
        return refusal(20004, 'Not there.', { status: 404 });
      },
    });

    await user.click(await screen.findByRole('button', { name: 'Sign out Firefox on Linux' }));

    expect(await screen.findByText('No other device is signed in.')).toBeVisible();
    expect(screen.queryByText('Not there.')).not.toBeInTheDocument();
  });

  it('stay in the list with the reason when it did not work', async () => {
    const { user } = await openSettings('devices', {
      [LIST]: success({ list: [here, buildSession()] }),
      [REVOKE]: refusal(50003, 'The service cannot answer right now.', { status: 503 }),
    });

    await user.click(await screen.findByRole('button', { name: 'Sign out Firefox on Linux' }));

    expect(await screen.findByRole('alert')).toHaveTextContent('The service cannot answer right now.');
    expect(screen.getAllByRole('listitem')).toHaveLength(2);
  });

  it('that could not be loaded are asked for again', async () => {
    let answer = refusal(50003, 'The service cannot answer right now.', { status: 503 });
    const { user } = await openSettings('devices', { [LIST]: () => answer });
    await screen.findByText('The service cannot answer right now.');
    answer = success({ list: [here] });

    await user.click(screen.getByRole('button', { name: 'Try again' }));

    expect(await screen.findByText('No other device is signed in.')).toBeVisible();
  });
});

describe('language and appearance', () => {
  it('hold at once', async () => {
    const { user } = await openSettings('preferences');
    expect(screen.getByRole('radio', { name: 'As the system' })).toBeChecked();

    await user.click(screen.getByRole('radio', { name: 'Dark' }));
    expect(window.localStorage.getItem('appearance')).toBe('dark');
    await user.click(screen.getByRole('radio', { name: '中文' }));

    expect(await screen.findByRole('heading', { name: '偏好设置' })).toBeVisible();
    expect(window.localStorage.getItem('umi_locale')).toBe('zh-CN');
    await user.click(screen.getByRole('radio', { name: '跟随系统' }));
  });
});
