import { renderHook } from '@testing-library/react';
import { CallError, TRANSPORT_FAILURE } from '@/utils/callError';
import { useIdempotencyKey } from './useIdempotencyKey';

async function keysOf(attempts: { request: string; failsWith?: number }[]): Promise<string[]> {
  const { result } = renderHook(() => useIdempotencyKey('form'));
  const keys: string[] = [];
  for (const { request, failsWith } of attempts) {
    const send = async (key: string) => {
      keys.push(key);
      if (failsWith !== undefined) throw new CallError(failsWith, 'no');
    };
    await result.current(request, send).catch(() => undefined);
  }
  return keys;
}

afterEach(() => sessionStorage.clear());

describe('the idempotency key of a form', () => {
  it('stays the same over retries that got no answer', async () => {
    const [first, second, third] = await keysOf([
      { request: 'a', failsWith: TRANSPORT_FAILURE },
      { request: 'a', failsWith: 50003 },
      { request: 'a' },
    ]);

    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(second).toBe(first);
    expect(third).toBe(first);
  });

  it.each([
    ['an answer', undefined],
    ['a refusal', 40001],
  ])('is a new one after %s', async (_what, failsWith) => {
    const [first, second] = await keysOf([{ request: 'a', failsWith }, { request: 'a' }]);

    expect(second).not.toBe(first);
  });

  it('stays the same over a reload', async () => {
    const [before] = await keysOf([{ request: 'a', failsWith: TRANSPORT_FAILURE }]);
    const [after, next] = await keysOf([{ request: 'a' }, { request: 'a' }]);

    expect(after).toBe(before);
    expect(next).not.toBe(before);
  });

  it('is a new one for another request', async () => {
    const [first, second] = await keysOf([{ request: 'a', failsWith: TRANSPORT_FAILURE }, { request: 'b' }]);

    expect(second).not.toBe(first);
  });
});
