import { getIntl, history } from '@umijs/max';
import { message } from 'antd';
import { extend } from 'umi-request';
import type { Calls } from '../../gateway/contract/calls';
import type { Envelope } from '../../gateway/contract/contract';
import { CallError, isSessionLost, TRANSPORT_FAILURE } from './callError';
import { currentLanguage, inOwnDirection } from './language';
import { isLogin, loginPath } from './redirect';
import { announceSignedOut, clearSession, sessionSelector } from './session';

const REQUEST_TIMEOUT_MS = 200_000;
const LEAVE_DELAY_MS = 300;

/** Code → message id that replaces the server's words. Empty, as specified. */
export const mappedMessages: Readonly<Record<number, string>> = {};
/** Codes that are never shown. Empty, as specified. */
export const silentCodes: readonly number[] = [];

/** Codes that open a dialog instead of a toast: what is missing, in words, and the way out. */
type RefusalDialog = (refusal: CallError) => void;
const refusalDialogs = new Map<number, RefusalDialog>();
export function registerRefusalDialog(codes: readonly number[], show: RefusalDialog): void {
  for (const code of codes) refusalDialogs.set(code, show);
}

export interface CallInput<K extends keyof Calls> {
  query?: Calls[K]['query'];
  body?: Calls[K]['body'];
}

export interface CallOptions {
  /** One key per opened form or quote: the same key never creates or charges twice. */
  idempotencyKey?: string;
  /** The caller shows the failure itself: no toast, no dialog. A lost session still says so and leads to /login. */
  isSilent?: boolean;
  /** Refusals the caller shows where they belong, beside a field; any other failure is shown as usual. */
  shownByCaller?: readonly number[];
  signal?: AbortSignal;
}

const send = extend({
  timeout: REQUEST_TIMEOUT_MS,
  credentials: 'include',
  throwErrIfParseFail: true,
});

/**
 * Makes a call of the contract and answers its data. Throws `CallError` on a refusal, which was then already shown,
 * and on a transport failure.
 */
export async function call<K extends keyof Calls>(
  key: K,
  input: CallInput<K> = {},
  options: CallOptions = {},
): Promise<Calls[K]['data']> {
  const isInit = (input.query as { isInit?: boolean } | undefined)?.isInit === true;
  const isSessionUser = key.includes('getUserBySession');
  const isQuiet = options.isSilent === true || isSessionUser;
  const askedAs = sessionSelector();
  try {
    return (await exchange(key, input, options)) as Calls[K]['data'];
  } catch (error) {
    const failure = error instanceof CallError ? error : transportFailure(error);
    if (options.signal?.aborted) throw failure;
    if (isSessionLost(failure)) leave(failure, { isInit, isSessionUser, askedAs });
    else if (!isQuiet && !options.shownByCaller?.includes(failure.code) && !(failure.code === TRANSPORT_FAILURE && isInit))
      show(failure);
    throw failure;
  }
}

async function exchange<K extends keyof Calls>(key: K, input: CallInput<K>, options: CallOptions): Promise<unknown> {
  const [method = 'GET', url = ''] = key.split(' ');
  const { envelope, status } = await send<Envelope>(url, {
    method,
    params: input.query,
    data: input.body,
    signal: options.signal,
    getResponse: true,
    headers: {
      Accept: 'application/json',
      'Content-Type': 'application/json',
      'Accept-Language': currentLanguage(),
      ...(options.idempotencyKey === undefined ? {} : { 'Idempotency-Key': options.idempotencyKey }),
    },
  }).then(
    ({ data, response }) => ({ envelope: data, status: response.status }),
    // The envelope comes with every status: a refusal is read, whatever its number.
    (error) => ({ envelope: envelopeOf(error), status: error.response.status as number }),
  );
  if (envelope.code !== 0 || envelope.success === false) {
    throw new CallError(envelope.code, messageOf(envelope), envelope.data, envelope.traceId, status);
  }
  return envelope.data ?? {};
}

function envelopeOf(error: { data?: unknown; response?: Response }): Envelope {
  const body = error.data as Partial<Envelope> | null | undefined;
  if (error.response && typeof body === 'object' && body !== null && typeof body.code === 'number') return body as Envelope;
  throw error;
}

/** The browser's own words are in its language and about its workings: they stay in `cause`. */
function transportFailure(error: unknown): CallError {
  const { data, type, response } = error as { data?: { msg?: string }; type?: string; response?: Response };
  const own = response ? 'error.fallback' : type === 'Timeout' ? 'error.timeout' : 'error.network';
  const words = data?.msg || getIntl().formatMessage({ id: own });
  return new CallError(TRANSPORT_FAILURE, words, null, '', response?.status ?? 0, { cause: error });
}

function messageOf(envelope: Envelope): string {
  const mapped = mappedMessages[envelope.code];
  if (mapped !== undefined) return getIntl().formatMessage({ id: mapped });
  return envelope.msg ? inOwnDirection(envelope.msg) : fallback();
}

function fallback(): string {
  return getIntl().formatMessage({ id: 'error.fallback' });
}

function show(failure: CallError): void {
  if (silentCodes.includes(failure.code)) return;
  const dialog = refusalDialogs.get(failure.code);
  if (dialog) dialog(failure);
  // The key keeps one failure of many parallel calls from filling the screen.
  else message.error({ key: `failure-${failure.code}`, content: failure.msg });
}

let leaving: ReturnType<typeof setTimeout> | undefined;

/** The login session is gone: one message, one way to /login, however many calls found out at once. */
function leave(failure: CallError, asked: { isInit: boolean; isSessionUser: boolean; askedAs: string | undefined }): void {
  // A late answer to a call of an earlier session says nothing about the session of now. The refusal itself clears the cookie.
  const now = sessionSelector();
  if (asked.isInit || leaving !== undefined || (now !== undefined && now !== asked.askedAs)) return;
  clearSession();
  if (isLogin(history.location.pathname)) return;
  if (!asked.isSessionUser) message.error({ key: 'unauthorized', content: failure.msg });
  leaving = setTimeout(() => {
    leaving = undefined;
    // Whoever signed out meanwhile stands there already, and keeps the way back.
    if (!isLogin(history.location.pathname)) history.push(loginPath(history.location));
    announceSignedOut();
  }, LEAVE_DELAY_MS);
}
