import { useState } from 'react';

const STORED_AT = 'terminalFontSize';
const range = { min: 10, max: 24, usual: 14 };

function stored(): number {
  try {
    const size = Number(window.localStorage.getItem(STORED_AT));
    return size >= range.min && size <= range.max ? size : range.usual;
  } catch {
    // Storage may be forbidden: then the usual size.
    return range.usual;
  }
}

/** The size of terminal text, remembered in this browser. */
export function useFontSize() {
  const [fontSize, setFontSize] = useState(stored);
  const changeBy = (step: number) => {
    const next = Math.min(range.max, Math.max(range.min, fontSize + step));
    setFontSize(next);
    try {
      window.localStorage.setItem(STORED_AT, String(next));
    } catch {
      // Without storage the size lasts as long as the page.
    }
  };
  return { fontSize, changeBy, canShrink: fontSize > range.min, canGrow: fontSize < range.max };
}
