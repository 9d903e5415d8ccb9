import { useSyncExternalStore } from 'react';
import { appearanceChoice, isDarkNow, onAppearanceChange } from '../utils/appearance';

/** Light or dark as shown now, and the member's choice behind it. */
export function useAppearance() {
  const isDark = useSyncExternalStore(onAppearanceChange, isDarkNow);
  const choice = useSyncExternalStore(onAppearanceChange, appearanceChoice);
  return { isDark, choice };
}
