import { TestBrowser } from '@@/testBrowser';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import Cookies from 'js-cookie';
import { buildOverview, buildUser } from '@/testing/builders';
import { type Answer, answerCalls, refusal, success } from '@/testing/gateway';

const LOGIN = 'POST /gateway/user/login';
const REGISTER = 'POST /gateway/user/register';
const SEND_CODE = 'GET /gateway/user/sendVerificationCode';
const signedIn = success({ sessionId: 'selector', expiresInDays: 7, user: buildUser() });

const field = (label: string) => screen.getByLabelText(label, { selector: 'input' });

/** As `user.type`, but a long text arrives at once, as from a password manager. `{Enter}` at the end presses it. */
async function write(input: HTMLElement, text: string): Promise<void> {
  const user = userEvent.setup();
  await user.click(input);
  await user.paste(text.replace('{Enter}', ''));
  if (text.endsWith('{Enter}')) await user.keyboard('{Enter}');
}

/** The whole app at a URL of /login, before a gateway that answers this. */
async function openLogin(search: string, answers: Record<string, Answer>) {
  const made = answerCalls({
    'GET /gateway/user/getUserBySession': refusal(10004, 'Please sign in to go on.', { status: 401 }),
    'GET /gateway/account/overview': success(buildOverview()),
    ...answers,
  });
  render(<TestBrowser location={{ pathname: '/login', search }} />);
  await screen.findByRole('heading', { level: 1 }, { timeout: 10_000 });
  return { made, user: userEvent.setup(), bodyOf: (key: string) => made.find((call) => call.key === key)?.body };
}

afterEach(() => {
  cleanup();
  Cookies.remove('sessionId', { path: '/' });
  window.localStorage.clear();
});

describe('signing in by password', () => {
  it('keeps the session cookie and goes on to where the member wanted to be', async () => {
    const { user, bodyOf } = await openLogin('?redirect=%2Fterms', { [LOGIN]: signedIn });

    await write(field('Username'), ' lin.hua ');
    await write(field('Password'), 'a fine password');
    await user.click(screen.getByRole('checkbox'));
    await user.click(screen.getByRole('button', { name: 'Sign in' }));

    expect(await screen.findByRole('heading', { name: 'Terms of Service' }, { timeout: 10_000 })).toBeVisible();
    expect(Cookies.get('sessionId')).toBe('selector');
    expect(bodyOf(LOGIN)).toEqual({ type: 'password', username: 'lin.hua', password: 'a fine password', keepSignedIn: true });
  });

  it('says beside the password that it is wrong, and the Enter key sends', async () => {
    await openLogin('', { [LOGIN]: refusal(10101, 'The username or the password is not right.') });

    await write(field('Username'), 'lin.hua');
    await write(field('Password'), 'wrong{Enter}');

    expect(await screen.findByText('The username or the password is not right.')).toBeVisible();
    expect(field('Password')).toHaveAttribute('aria-invalid', 'true');
    expect(field('Password')).toHaveFocus();
    expect(Cookies.get('sessionId')).toBeUndefined();
  });

  it('shows above the button what is about no field', async () => {
    await openLogin('', { [LOGIN]: refusal(10109, 'Too many failed tries.', { status: 429 }) });

    await write(field('Username'), 'lin.hua');
    await write(field('Password'), 'wrong{Enter}');

    expect(await screen.findByRole('alert')).toHaveTextContent('Too many failed tries.');
  });

  it('asks the gateway nothing while a field is empty', async () => {
    const { user, made } = await openLogin('', { [LOGIN]: signedIn });

    await user.click(screen.getByRole('button', { name: 'Sign in' }));

    expect(await screen.findByText('Please enter your password')).toBeVisible();
    expect(made.map(({ key }) => key)).not.toContain(LOGIN);
  });
});

describe('signing in by phone', () => {
  it('sends a code, counts down, and signs in with it', async () => {
    const { user, made, bodyOf } = await openLogin('?redirect=%2Fterms', {
      [LOGIN]: signedIn,
      [SEND_CODE]: success({ cooldownSeconds: 60 }),
    });

    await user.click(screen.getByRole('tab', { name: 'Phone code' }));
    await write(field('Phone number'), '138 0013 8000');
    await user.click(screen.getByRole('button', { name: 'Send code' }));
    expect(await screen.findByRole('button', { name: /Send again \((60|59)\)/ })).toBeDisabled();
    expect(field('Verification code')).toHaveFocus();
    await write(field('Verification code'), '123456{Enter}');

    expect(await screen.findByRole('heading', { name: 'Terms of Service' }, { timeout: 10_000 })).toBeVisible();
    expect(made.find(({ key }) => key === SEND_CODE)?.url.searchParams.get('scene')).toBe('login');
    expect(bodyOf(LOGIN)).toEqual({ type: 'mobile', mobile: '138 0013 8000', captcha: '123456', keepSignedIn: false });
  });

  it('counts down from what the gateway says when a code was sent a moment ago', async () => {
    const tooSoon = refusal(10103, 'A code was sent a moment ago.', { status: 429, data: { retryAfterSeconds: 42 } });
    const { user } = await openLogin('?view=reset', { [SEND_CODE]: tooSoon });

    await write(field('Phone number'), '13800138000');
    await user.click(screen.getByRole('button', { name: 'Send code' }));

    expect(await screen.findByText('A code was sent a moment ago.')).toBeVisible();
    expect(screen.getByRole('button', { name: /Send again \(4[12]\)/ })).toBeDisabled();
  });

  it('asks for a phone number before it sends a code', async () => {
    const { user, made } = await openLogin('', { [SEND_CODE]: success({ cooldownSeconds: 60 }) });

    await user.click(screen.getByRole('tab', { name: 'Phone code' }));
    await user.click(screen.getByRole('button', { name: 'Send code' }));

    expect(await screen.findByText('Please enter your phone number')).toBeVisible();
    expect(made.map(({ key }) => key)).not.toContain(SEND_CODE);
  });

  it('is the way out for who forgot the password', async () => {
    const { user } = await openLogin('', {});

    await user.click(screen.getByRole('button', { name: 'Forgot password' }));

    expect(await screen.findByText('Sign in with a code sent to your phone.')).toBeVisible();
  });

  it('is what the old address for a forgotten password opens', async () => {
    await openLogin('?view=reset', {});

    expect(screen.getByText('Sign in with a code sent to your phone.')).toBeVisible();
    expect(screen.getByRole('tab', { name: 'Phone code' })).toHaveAttribute('aria-selected', 'true');
  });
});

describe('registering', () => {
  const fill = async (password: string, confirm: string) => {
    await write(field('Username'), 'lin.hua');
    await write(field('Phone number'), '13800138000');
    await write(field('Verification code'), '123456');
    await write(field('Password'), password);
    await write(field('Password again'), confirm);
  };

  it('sends the form with where the visit came from, and signs in', async () => {
    window.localStorage.setItem('source', 'campus');
    window.localStorage.setItem('eventCode', 'spring');
    const { user, bodyOf } = await openLogin('?view=register&redirect=%2Fprivacy', { [REGISTER]: signedIn });

    await fill('copper wing 41 lantern', 'copper wing 41 lantern');
    await user.click(screen.getByRole('button', { name: 'Create account' }));

    expect(await screen.findByRole('heading', { name: 'Privacy Policy' }, { timeout: 10_000 })).toBeVisible();
    expect(bodyOf(REGISTER)).toEqual({
      username: 'lin.hua',
      mobile: '13800138000',
      captcha: '123456',
      password: 'copper wing 41 lantern',
      confirm: 'copper wing 41 lantern',
      source: 'campus',
      eventCode: 'spring',
    });
  });

  it('refuses a password that is easy to guess, and two that differ, before the gateway is asked', async () => {
    const { user, made } = await openLogin('?view=register', { [REGISTER]: signedIn });

    await fill('password1', 'password2');
    await waitFor(() => expect(screen.getByRole('status', { name: 'Password strength' })).toBeVisible(), { timeout: 10_000 });
    await user.click(screen.getByRole('button', { name: 'Create account' }));

    expect(await screen.findByText(/This password is easy to guess/)).toBeVisible();
    expect(await screen.findByText('The two passwords differ')).toBeVisible();
    expect(made.map(({ key }) => key)).not.toContain(REGISTER);
  });

  it.each([
    ['a taken username', refusal(10104, 'This username is taken.'), 'Username', 'This username is taken.'],
    [
      'a taken number',
      refusal(10105, 'This phone number already has an account.'),
      'Phone number',
      'This phone number already has an account.',
    ],
    ['a wrong code', refusal(10102, 'This code is not right.'), 'Verification code', 'This code is not right.'],
    [
      'a field the gateway refuses',
      refusal(20001, 'body.username must match', {
        status: 400,
        data: { fields: [{ field: 'body.username', message: 'must match' }] },
      }),
      'Username',
      'This entry was not accepted',
    ],
  ])('says %s beside its field', async (_, answer, label, words) => {
    const { user } = await openLogin('?view=register', { [REGISTER]: answer });

    await fill('copper wing 41 lantern', 'copper wing 41 lantern');
    await user.click(screen.getByRole('button', { name: 'Create account' }));

    expect(await screen.findByText(words)).toBeVisible();
    expect(field(label)).toHaveAttribute('aria-invalid', 'true');
  });
});
