const ESC = '\\u001b';
const BELL = '\\u0007';

/** Strings for the terminal itself (titles, links), control sequences, and two-character escapes, as ECMA-48 writes them; unfinished ones too. */
const SEQUENCES = new RegExp(
  `${ESC}[\\]PX^_][^${ESC}${BELL}]*(?:${ESC}\\\\|${BELL}|$)|${ESC}\\[[0-?]*[ -/]*(?:[@-~]|$)|${ESC}[ -/]*(?:[0-~]|$)`,
  'gu',
);
/** What is left that no text shows: everything but tab, line end, carriage return and backspace. */
const INVISIBLE = /[^\P{Cc}\t\n\r\b]/gu;

/**
 * What a terminal printed, as text: UTF-8 repaired, control sequences gone, what was overwritten by carriage return or backspace left out. Of
 * output that was cut at its start the first, broken line is dropped.
 */
export function textOfOutput(bytes: Uint8Array, isCut: boolean): string {
  const decoded = new TextDecoder().decode(bytes);
  const text = (isCut ? decoded.slice(decoded.indexOf('\n') + 1) : decoded).replace(SEQUENCES, '').replace(INVISIBLE, '');
  return text.split('\n').map(lineAsLeft).join('\n');
}

/** A line as it stood at last. */
function lineAsLeft(line: string): string {
  const parts = line.split('\r').filter((part) => part !== '');
  const last = parts.at(-1) ?? '';
  if (!last.includes('\b')) return last;
  const left: string[] = [];
  for (const character of last) {
    if (character === '\b') left.pop();
    else left.push(character);
  }
  return left.join('');
}
