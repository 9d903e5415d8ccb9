/** Light, dark, or whatever the system prefers. */
export type Appearance = 'light' | 'dark' | 'system';

const STORED_AT = 'appearance';
const listeners = new Set<() => void>();
const darkQuery = () => window.matchMedia('(prefers-color-scheme: dark)');
let choice: Appearance | undefined;

export function appearanceChoice(): Appearance {
  choice ??= readChoice();
  return choice;
}

export function isDarkNow(): boolean {
  return appearanceChoice() === 'dark' || (appearanceChoice() === 'system' && darkQuery().matches);
}

/** Whether the member's system asks for less motion. */
export function isStillPreferred(): boolean {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches;
}

export function chooseAppearance(next: Appearance): void {
  choice = next;
  try {
    window.localStorage.setItem(STORED_AT, next);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
  for (const listener of listeners) listener();
}

export function onAppearanceChange(listener: () => void): () => void {
  const query = darkQuery();
  listeners.add(listener);
  query.addEventListener('change', listener);
  return () => {
    listeners.delete(listener);
    query.removeEventListener('change', listener);
  };
}

function readChoice(): Appearance {
  try {
    const stored = window.localStorage.getItem(STORED_AT);
    return stored === 'light' || stored === 'dark' ? stored : 'system';
  } catch {
    // Storage may be forbidden: then the system decides.
    return 'system';
  }
}
