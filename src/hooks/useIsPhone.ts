import { useSyncExternalStore } from 'react';

const phone = '(max-width: 767px)';

function onChange(listener: () => void): () => void {
  const query = window.matchMedia(phone);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}

/** Whether the window is as narrow as a phone, where tables become cards. */
export function useIsPhone(): boolean {
  return useSyncExternalStore(onChange, () => window.matchMedia(phone).matches);
}
