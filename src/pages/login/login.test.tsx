import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import Cookies from 'js-cookie';
import { buildUser } from '@/testing/builders';
import { type Answer, answerCalls, refusal, success } from '@/testing/gateway';
import { renderPage } from '@/testing/renderPage';
import LoginPage from './index';

const WHO = 'GET /gateway/user/getUserBySession';
const LOGIN = 'POST /gateway/user/login';
const REGISTER = 'POST /gateway/user/register';
const RESET = 'POST /gateway/user/forgetPassword';
const SEND_CODE = 'GET /gateway/user/sendVerificationCode';
const signedIn = success({ sessionId: 'selector', expiresInDays: 7, user: buildUser() });

const field = (label: string) => screen.getByLabelText(label, { selector: 'input' });

/** As `user.type`, but a long text arrives at once, as from a password manager. `{Enter}` at the end presses it. */
async function write(input: HTMLElement, text: string): Promise<void> {
  const user = userEvent.setup({ delay: null });
  await user.click(input);
  await user.paste(text.replace('{Enter}', ''));
  if (text.endsWith('{Enter}')) await user.keyboard('{Enter}');
}

/** The page at a URL of /login, before a gateway that answers this. */
async function openLogin(search: string, answers: Record<string, Answer | (() => Promise<Answer>)>) {
  const made = answerCalls({ [WHO]: refusal(10004, 'Please sign in to go on.', { status: 401 }), ...answers });
  renderPage(<LoginPage />, { at: `/login${search}`, route: '/login' });
  await screen.findByRole('heading', { level: 1 });
  return { made, user: userEvent.setup({ delay: null }), bodyOf: (key: string) => made.find((call) => call.key === key)?.body };
}

const place = () => screen.getByTestId('place');

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

    await waitFor(() => expect(place()).toHaveTextContent('/terms'));
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

    await waitFor(() => expect(place()).toHaveTextContent('/terms'));
    expect(made.find(({ key }) => key === SEND_CODE)?.url.searchParams.get('scene')).toBe('login');
    expect(bodyOf(LOGIN)).toEqual({ type: 'mobile', mobile: '138 0013 8000', captcha: '123456', keepSignedIn: false });
  });

  it('leaves whoever goes on to another field before the code is sent where they are', async () => {
    let arrive = () => {};
    const underWay = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const { user } = await openLogin('?view=reset', {
      [SEND_CODE]: async () => {
        await underWay;
        return success({ cooldownSeconds: 60 });
      },
    });

    await write(field('Phone number'), '13800138000');
    await user.click(screen.getByRole('button', { name: 'Send code' }));
    await user.click(field('New password'));
    arrive();

    expect(await screen.findByRole('button', { name: /Send again/ })).toBeDisabled();
    expect(field('New password')).toHaveFocus();
  });

  it('judges a phone number when it is typed to its end', async () => {
    const { user } = await openLogin('', {});

    await user.click(screen.getByRole('tab', { name: 'Phone code' }));
    const wrong = 'This does not look like a phone number';
    await user.type(field('Phone number'), '13');
    await expect(screen.findByText(wrong, {}, { timeout: 200 })).rejects.toThrow();
    await user.tab();

    expect(await screen.findByText(wrong)).toBeVisible();
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

    await waitFor(() => expect(place()).toHaveTextContent('/privacy'));
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

describe('a forgotten password', () => {
  const fill = async (password = 'copper wing 41 lantern', confirm = password) => {
    await write(field('Phone number'), ' 13800138000 ');
    await write(field('Verification code'), '123456');
    await write(field('New password'), password);
    await write(field('Password again'), confirm);
  };
  const submit = { name: 'Set new password' };

  it('has its way out beside the password, which keeps where to go afterwards', async () => {
    const { user } = await openLogin('?redirect=%2Fterms', {});

    await user.click(screen.getByRole('link', { name: 'Forgot password' }));

    expect(screen.getByRole('heading', { name: 'Set a new password' })).toBeVisible();
    expect(place()).toHaveTextContent('/login?redirect=%2Fterms&view=reset');
  });

  it('is replaced by a new one; the page says what happened and leads on with the username', async () => {
    const { user, made, bodyOf } = await openLogin('?view=reset&redirect=%2Fterms', {
      [SEND_CODE]: success({ cooldownSeconds: 60 }),
      [RESET]: success({ userId: 'm1', userName: 'lin.hua' }),
    });

    await write(field('Phone number'), '13800138000');
    await user.click(screen.getByRole('button', { name: 'Send code' }));
    expect(await screen.findByRole('button', { name: /Send again/ })).toBeDisabled();
    expect(made.find(({ key }) => key === SEND_CODE)?.url.searchParams.get('scene')).toBe('reset');
    await write(field('Verification code'), '123456');
    await write(field('New password'), 'copper wing 41 lantern');
    await write(field('Password again'), 'copper wing 41 lantern{Enter}');

    expect(await screen.findByRole('heading', { name: 'Your password is changed' })).toHaveFocus();
    expect(screen.getByText(/Every device that was signed in has been signed out/)).toBeVisible();
    expect(bodyOf(RESET)).toEqual({
      mobile: '13800138000',
      captcha: '123456',
      password: 'copper wing 41 lantern',
      confirm: 'copper wing 41 lantern',
    });
    await user.click(screen.getByRole('link', { name: 'Sign in' }));
    expect(field('Username')).toHaveValue('lin.hua');
    expect(field('Password')).toHaveFocus();
    expect(place()).toHaveTextContent('/login?redirect=%2Fterms');
    expect(place()).not.toHaveTextContent('lin.hua');
  });

  it.each([
    ['a wrong code', refusal(10102, 'This code is not right.'), 'Verification code', 'This code is not right.'],
    ['a number without an account', refusal(10107, 'No account yet.'), 'Phone number', 'No account yet.'],
    ['a password that is easy to guess', refusal(10106, 'Easy to guess.'), 'New password', 'Easy to guess.'],
    ['two that differ', refusal(10108, 'They differ.'), 'Password again', 'They differ.'],
  ])('is not replaced by %s, which is said beside its field', async (_, answer, label, words) => {
    const { user } = await openLogin('?view=reset', { [RESET]: answer });

    await fill();
    await user.click(screen.getByRole('button', submit));

    expect(await screen.findByText(words)).toBeVisible();
    expect(field(label)).toHaveAttribute('aria-invalid', 'true');
    expect(field(label)).toHaveFocus();
  });

  it('shows above the button what is about no field', async () => {
    const { user } = await openLogin('?view=reset', { [RESET]: refusal(20029, 'Too many requests.', { status: 429 }) });

    await fill();
    await user.click(screen.getByRole('button', submit));

    expect(await screen.findByRole('alert')).toHaveTextContent('Too many requests.');
  });

  it('is asked for again where the two differ, before the gateway is', async () => {
    const { user, made } = await openLogin('?view=reset', {});

    await fill('copper wing 41 lantern', 'another one 42');
    await user.click(screen.getByRole('button', submit));

    expect(await screen.findByText('The two passwords differ')).toBeVisible();
    expect(made.map(({ key }) => key)).not.toContain(RESET);
  });

  it('can be replaced while signed in, which ends that session in the browser, too', async () => {
    Cookies.set('sessionId', 'selector', { path: '/' });
    const { user } = await openLogin('?view=reset', {
      [WHO]: success(buildUser()),
      [RESET]: success({ userId: 'm1', userName: 'lin.hua' }),
    });

    await screen.findByRole('heading', { name: 'Set a new password' });
    await fill();
    await user.click(screen.getByRole('button', submit));

    expect(await screen.findByRole('heading', { name: 'Your password is changed' })).toBeVisible();
    expect(Cookies.get('sessionId')).toBeUndefined();
  });
});
