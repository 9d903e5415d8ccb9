import { keepSession } from '../utils/session';

/** What mock mode's own paths say; they are no calls of the product and only `npm run mock` answers them. */
export interface MockState {
  members: { username: string; kind: string }[];
  switches: { answer: string; delayMs: number; path: string };
}

async function ask<T>(path: string, body?: object): Promise<T> {
  const response = await fetch(`/mock/${path}`, {
    method: body ? 'POST' : 'GET',
    credentials: 'include',
    ...(body ? { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) } : {}),
  });
  if (!response.ok) throw new Error(`/mock/${path} answered ${response.status}`);
  return (await response.json()) as T;
}

export function getMockState(): Promise<MockState> {
  return ask('state');
}

export function setSwitches(switches: MockState['switches']): Promise<MockState['switches']> {
  return ask('switches', switches);
}

/** Signs a seeded member in, or out with an empty name, and begins the page anew as that person. */
export async function becomeMember(username: string): Promise<void> {
  const { data } = await ask<{ data: { sessionId?: string; expiresInDays?: number } | null }>('member', { username });
  if (data?.sessionId) keepSession(data.sessionId, data.expiresInDays ?? 1);
  window.location.reload();
}
