import { useRef } from 'react';
import { isCallError, TRANSPORT_FAILURE } from '@/utils/callError';

const OURS = 50000;

function newKey(): string {
  // `randomUUID` exists on https and localhost only; a lab in a school's network may be plain http.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * One key for what a form asks for: kept over retries that got no answer, so that a lost reply never creates or charges
 * twice; a new one after every answer, and for another request.
 */
export function useIdempotencyKey() {
  const held = useRef<{ key: string; request: string } | null>(null);

  return async function once<T>(request: unknown, send: (key: string) => Promise<T>): Promise<T> {
    const asked = JSON.stringify(request);
    if (held.current?.request !== asked) held.current = { key: newKey(), request: asked };
    try {
      const answer = await send(held.current.key);
      held.current = null;
      return answer;
    } catch (error) {
      const isUnanswered = !isCallError(error) || error.code === TRANSPORT_FAILURE || error.code >= OURS;
      if (!isUnanswered) held.current = null;
      throw error;
    }
  };
}
