import { useRef } from 'react';
import { isCallError, TRANSPORT_FAILURE } from '@/utils/callError';

const OURS = 50000;
const STORED_AT = 'unansweredRequest.';

interface Held {
  key: string;
  request: string;
}

function newKey(): string {
  // `randomUUID` exists on https and localhost only; a lab in a school's network may be plain http.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function readHeld(form: string): Held | null {
  try {
    const held = JSON.parse(sessionStorage.getItem(STORED_AT + form) ?? 'null') as Partial<Held> | null;
    return typeof held?.key === 'string' && typeof held.request === 'string' ? { key: held.key, request: held.request } : null;
  } catch {
    // Storage is forbidden or holds something else: then the key lasts as long as the page.
    return null;
  }
}

function writeHeld(form: string, held: Held | null): void {
  try {
    if (held) sessionStorage.setItem(STORED_AT + form, JSON.stringify(held));
    else sessionStorage.removeItem(STORED_AT + form);
  } catch {
    // As above: without storage the key lasts as long as the page.
  }
}

/**
 * One key for what a form asks for: kept over retries that got no answer, and over a reload, so that a lost reply never
 * creates or charges twice; a new one after every answer, and for another request. `form` names the form in this tab.
 */
export function useIdempotencyKey(form: string) {
  const held = useRef<Held | null>(null);

  return async function once<T>(request: unknown, send: (key: string) => Promise<T>): Promise<T> {
    const asked = JSON.stringify(request);
    held.current ??= readHeld(form);
    if (held.current?.request !== asked) held.current = { key: newKey(), request: asked };
    writeHeld(form, held.current);
    const settle = () => {
      held.current = null;
      writeHeld(form, null);
    };
    try {
      const answer = await send(held.current.key);
      settle();
      return answer;
    } catch (error) {
      const isUnanswered = !isCallError(error) || error.code === TRANSPORT_FAILURE || error.code >= OURS;
      if (!isUnanswered) settle();
      throw error;
    }
  };
}
