import { createPluginManager } from '@@/core/plugin';
import { act, screen } from '@testing-library/react';
import { createHistory, history } from '@umijs/max';
import Cookies from 'js-cookie';
import { answerCalls, refusal, success } from '@/testing/gateway';
import { CallError, TRANSPORT_FAILURE } from './callError';
import { call, mappedMessages, registerRefusalDialog, silentCodes } from './request';
import { onSignedOut } from './session';

const OVERVIEW = 'GET /gateway/account/overview';
const SESSION_USER = 'GET /gateway/user/getUserBySession';

/** The failure a call ends with. */
async function failureOf(made: Promise<unknown>): Promise<CallError> {
  const failure = await act(() =>
    made.then(
      () => undefined,
      (error: unknown) => error,
    ),
  );
  if (!(failure instanceof CallError)) throw new Error('the call did not fail as a CallError');
  return failure;
}

beforeAll(() => {
  createPluginManager();
  createHistory({ type: 'memory' });
});

describe('call', () => {
  it('sends JSON with credentials, in the member’s language, with the idempotency key it was given', async () => {
    const made = answerCalls({ 'POST /gateway/workshop/start': success({ workshopId: 'w1' }) });

    await call('POST /gateway/workshop/start', { body: { workshopId: 'w1' } }, { idempotencyKey: 'key-of-the-form' });

    expect(made).toHaveLength(1);
    expect(made[0]).toMatchObject({ body: { workshopId: 'w1' }, credentials: 'include' });
    expect(made[0]?.headers).toMatchObject({
      'Content-Type': 'application/json',
      'Accept-Language': 'en-US',
      'Idempotency-Key': 'key-of-the-form',
    });
  });

  it('leaves out what a query does not set', async () => {
    const made = answerCalls({ 'GET /gateway/workshop/page': success({ list: [], total: 0 }) });

    await call('GET /gateway/workshop/page', { query: { current: 2, keyword: undefined } });

    expect(made[0]?.url.search).toBe('?current=2');
  });

  it.each([
    [null, {}],
    [undefined, {}],
    [false, false],
    [0, 0],
    ['', ''],
    [[], []],
  ])('answers data %j as %j', async (data, expected) => {
    answerCalls({ [OVERVIEW]: success(data) });

    await expect(call(OVERVIEW)).resolves.toEqual(expected);
  });
});

describe('a refusal', () => {
  it('shows the server’s words and is thrown with code, data and trace id', async () => {
    answerCalls({ [OVERVIEW]: refusal(40001, 'You already have a workshop of this name.', { data: { name: 'a' } }) });

    const failure = await failureOf(call(OVERVIEW));

    expect(failure).toMatchObject({ code: 40001, data: { name: 'a' }, traceId: 'trace', status: 200 });
    expect(await screen.findByText('You already have a workshop of this name.')).toBeVisible();
  });

  it('is read whatever the HTTP status', async () => {
    answerCalls({ [OVERVIEW]: refusal(50003, 'The service rests.', { status: 503 }) });

    expect(await failureOf(call(OVERVIEW))).toMatchObject({ code: 50003, msg: 'The service rests.', status: 503 });
    expect(await screen.findByText('The service rests.')).toBeVisible();
  });

  it('without words shows the fallback of the language', async () => {
    window.localStorage.setItem('umi_locale', 'zh-CN');
    answerCalls({ [OVERVIEW]: refusal(40003, '') });

    expect((await failureOf(call(OVERVIEW))).msg).toBe('操作失败，请稍后重试');
  });

  it('is a failure by success false alone', async () => {
    answerCalls({ [OVERVIEW]: { body: { success: false, code: 0, data: null, msg: 'Not done.', traceId: '' } } });

    expect(await failureOf(call(OVERVIEW))).toMatchObject({ code: 0, msg: 'Not done.' });
  });

  it('is not shown when the caller shows it', async () => {
    answerCalls({ [OVERVIEW]: refusal(40007, 'Shown by the caller.') });

    await failureOf(call(OVERVIEW, {}, { isSilent: true }));
    await failureOf(call(OVERVIEW, {}, { shownByCaller: [40007] }));

    expect(screen.queryByText('Shown by the caller.')).not.toBeInTheDocument();
  });

  it('with a dialog of its own opens it in place of the message', async () => {
    const opened: CallError[] = [];
    registerRefusalDialog([25105], (refused) => opened.push(refused));
    answerCalls({ [OVERVIEW]: refusal(25105, 'Ten minutes need 0.1 DCU.', { data: { cause: 'BALANCE' } }) });

    await failureOf(call(OVERVIEW));

    expect(opened).toEqual([expect.objectContaining({ code: 25105, data: { cause: 'BALANCE' } })]);
    expect(screen.queryByText('Ten minutes need 0.1 DCU.')).not.toBeInTheDocument();
  });

  it('has no mapped words and no silent code, as specified', () => {
    expect(mappedMessages).toEqual({});
    expect(silentCodes).toEqual([]);
  });
});

describe('a transport failure', () => {
  it.each([
    ['en-US', 'The service could not be reached. Please check your connection and try again.'],
    ['zh-CN', '无法连接到服务，请检查网络后重试。'],
  ])('is told in our own words in %s, with the browser’s as its cause', async (language, words) => {
    window.localStorage.setItem('umi_locale', language);
    const cause = new TypeError('Failed to fetch');
    answerCalls(() => Promise.reject(cause));

    const failure = await failureOf(call(OVERVIEW));

    expect(failure).toMatchObject({ code: TRANSPORT_FAILURE, msg: words });
    expect(failure.cause).toBe(cause);
    expect(await screen.findByText(words)).toBeVisible();
    expect(screen.queryByText(/Failed to fetch/)).not.toBeInTheDocument();
  });

  it('says that the service took too long', async () => {
    jest.useFakeTimers();
    answerCalls(() => new Promise(() => undefined));
    const refused = expect(call(OVERVIEW, {}, { isSilent: true })).rejects.toMatchObject({
      code: TRANSPORT_FAILURE,
      msg: 'The service took too long to answer. Please try again later.',
    });

    await jest.advanceTimersByTimeAsync(200_000);

    await refused;
    jest.useRealTimers();
  });

  it('prefers the words an answer without an envelope carries', async () => {
    answerCalls({ [OVERVIEW]: { status: 502, body: { msg: 'The door in front is closed.' } } });

    expect(await failureOf(call(OVERVIEW))).toMatchObject({ code: TRANSPORT_FAILURE, status: 502 });
    expect(await screen.findByText('The door in front is closed.')).toBeVisible();
  });

  it('is what an answer that is no JSON counts as', async () => {
    answerCalls({ [OVERVIEW]: { body: '<html>a portal</html>' } });

    expect(await failureOf(call(OVERVIEW))).toMatchObject({
      code: TRANSPORT_FAILURE,
      msg: 'The operation failed. Please try again later.',
    });
  });

  it('stays silent when the request carried the init flag', async () => {
    answerCalls(() => Promise.reject(new TypeError('Down at the start')));

    await failureOf(call('GET /gateway/account/remainDcu', { query: { isInit: true } }));

    expect(screen.queryByText(/could not be reached/)).not.toBeInTheDocument();
  });
});

describe('a lost login session', () => {
  const unauthorized = refusal(10004, 'Please sign in to go on.', { status: 401 });
  const leaveListener = jest.fn();

  beforeEach(() => {
    jest.useFakeTimers();
    leaveListener.mockClear();
    Cookies.set('sessionId', 'selector', { path: '/' });
    history.push('/main/myLab/workshop?state=RUNNING');
  });
  afterEach(() => jest.useRealTimers());

  it('clears the cookie, says so once and goes to /login after 300 ms, however many calls found out', async () => {
    const stop = onSignedOut(leaveListener);
    answerCalls(() => unauthorized);

    await failureOf(Promise.all([call(OVERVIEW), call(OVERVIEW), call(OVERVIEW)]));
    await failureOf(call(OVERVIEW));

    expect(Cookies.get('sessionId')).toBeUndefined();
    jest.advanceTimersByTime(299);
    expect(history.location.pathname).toBe('/main/myLab/workshop');
    jest.advanceTimersByTime(1);
    expect(`${history.location.pathname}${history.location.search}`).toBe(
      '/login?redirect=%2Fmain%2FmyLab%2Fworkshop%3Fstate%3DRUNNING',
    );
    expect(leaveListener).toHaveBeenCalledTimes(1);
    stop();
    jest.useRealTimers();
    expect(await screen.findAllByText('Please sign in to go on.')).toHaveLength(1);
  });

  it('is not taken for lost again by an answer that comes late, or that an earlier session got', async () => {
    const late: (() => void)[] = [];
    answerCalls(({ key }) =>
      key === OVERVIEW
        ? unauthorized
        : new Promise((resolve) => late.push(() => resolve(refusal(10004, 'Late.', { status: 401 })))),
    );
    const slow = call('GET /gateway/workshop/filterList').catch(() => undefined);
    const slower = call('GET /gateway/workshop/cpuSpec').catch(() => undefined);

    await failureOf(call(OVERVIEW));
    jest.advanceTimersByTime(300);
    const { search } = history.location;
    late[0]?.();
    await act(() => slow);
    Cookies.set('sessionId', 'the next one', { path: '/' });
    late[1]?.();
    await act(() => slower);
    jest.advanceTimersByTime(300);

    expect(history.location).toMatchObject({ pathname: '/login', search });
    expect(Cookies.get('sessionId')).toBe('the next one');
    expect(screen.queryByText('Late.')).not.toBeInTheDocument();
  });

  it('is found out although the refusal itself cleared the cookie, as the gateway’s does', async () => {
    answerCalls(() => {
      Cookies.remove('sessionId', { path: '/' });
      return unauthorized;
    });

    await failureOf(call(OVERVIEW));
    jest.advanceTimersByTime(300);

    expect(history.location.pathname).toBe('/login');
  });

  it('leads nowhere from /login, which keeps the way back', async () => {
    history.push('/login?redirect=%2Fterms');
    answerCalls(() => refusal(10004, 'Known already.', { status: 401 }));

    await failureOf(call(OVERVIEW));
    jest.advanceTimersByTime(300);

    expect(`${history.location.pathname}${history.location.search}`).toBe('/login?redirect=%2Fterms');
    expect(Cookies.get('sessionId')).toBeUndefined();
    expect(screen.queryByText('Known already.')).not.toBeInTheDocument();
  });

  it.each([
    ['10004 with another status', refusal(10004, 'Signed out.', { status: 200 })],
    ['401 without an envelope', { status: 401, body: 'no' }],
  ])('is noticed by %s', async (_, answer) => {
    answerCalls(() => answer);

    await failureOf(call(OVERVIEW));
    jest.advanceTimersByTime(300);

    expect(history.location.pathname).toBe('/login');
  });

  it('says so also when the caller shows other failures itself', async () => {
    answerCalls(() => refusal(10004, 'The session ended.', { status: 401 }));

    await failureOf(call(OVERVIEW, {}, { isSilent: true }));
    jest.advanceTimersByTime(300);

    expect(history.location.pathname).toBe('/login');
    jest.useRealTimers();
    expect(await screen.findByText('The session ended.')).toBeVisible();
  });

  it('changes nothing when the request carried the init flag', async () => {
    answerCalls(() => unauthorized);

    await failureOf(call(SESSION_USER, { query: { isInit: true } }));
    jest.advanceTimersByTime(1000);

    expect(Cookies.get('sessionId')).toBe('selector');
    expect(history.location.pathname).toBe('/main/myLab/workshop');
  });

  it('leads away without words when the session user was asked for', async () => {
    answerCalls(() => refusal(10004, 'Never to be read.', { status: 401 }));

    await failureOf(call(SESSION_USER));
    jest.advanceTimersByTime(300);

    expect(history.location.pathname).toBe('/login');
    expect(screen.queryByText('Never to be read.')).not.toBeInTheDocument();
  });
});
