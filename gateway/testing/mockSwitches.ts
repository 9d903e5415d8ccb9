/** How mock mode answers: as the gateway does, or in one of the ways a page must be able to bear. */
export const mockAnswers = ['usual', 'error', 'unavailable', 'sessionLost', 'cut'] as const;
export type MockAnswer = (typeof mockAnswers)[number];

export interface MockSwitches {
  answer: MockAnswer;
  /** Every answer comes this much later. */
  delayMs: number;
  /** The calls meant: those with this in their path; empty means all. */
  path: string;
}

const usual: MockSwitches = { answer: 'usual', delayMs: 0, path: '' };
const MOST_DELAY_MS = 60_000;
const MOST_PATH_LENGTH = 100;

/** Mock files and the gateway's bundle are loaded apart, and anew at every edit: what was switched stands beside both. */
const KEY = Symbol.for('atelier.mock.switches');

export function mockSwitches(): MockSwitches {
  return Reflect.get(globalThis, KEY) ?? usual;
}

/** Replaces the switches; what is left out is as usual. Answers false, and changes nothing, when a field does not fit. */
export function setMockSwitches(asked: unknown): boolean {
  const next = { ...usual, ...(typeof asked === 'object' ? asked : null) };
  const { answer, delayMs, path } = next;
  const isFit =
    mockAnswers.includes(answer) &&
    Number.isInteger(delayMs) &&
    delayMs >= 0 &&
    delayMs <= MOST_DELAY_MS &&
    typeof path === 'string' &&
    path.length <= MOST_PATH_LENGTH;
  if (isFit) Reflect.set(globalThis, KEY, { answer, delayMs, path });
  return isFit;
}

/** What the switches do to a call. */
export function mockEffect(url: string): Pick<MockSwitches, 'answer' | 'delayMs'> {
  const switches = mockSwitches();
  return (url.split('?', 1)[0] ?? '').includes(switches.path) ? switches : usual;
}
