import type { IBuffer } from '@xterm/xterm';

const KEPT_LINES = 40;

/** The last lines of a screen as words, wrapped rows joined, up to the cursor. */
export function linesOf(buffer: IBuffer): string[] {
  const cursor = buffer.baseY + buffer.cursorY;
  const lines: string[] = [];
  for (let row = Math.max(0, cursor - KEPT_LINES * 2); row <= cursor; row += 1) {
    const line = buffer.getLine(row);
    const words = line?.translateToString(true) ?? '';
    if (line?.isWrapped && lines.length > 0) lines.push(`${lines.pop() ?? ''}${words}`);
    else lines.push(words);
  }
  return lines.slice(-KEPT_LINES);
}

/** How many of the lines shown before have scrolled away; only the last one may have grown meanwhile. */
export function scrolledAway(shown: readonly string[], now: readonly string[]): number {
  for (let gone = 0; gone < shown.length; gone += 1) {
    const rest = shown.slice(gone);
    if (rest.every((line, index) => line === now[index] || index === rest.length - 1)) return gone;
  }
  return shown.length;
}

/**
 * Keeps a live region in step with the screen by adding lines, never by writing the old ones anew: a screen reader then
 * speaks what is new and nothing else.
 */
export function updateTranscript(region: HTMLElement, now: readonly string[]): void {
  const shown = [...region.children].map((line) => line.textContent ?? '');
  const gone = scrolledAway(shown, now);
  for (const line of [...region.children].slice(0, gone)) line.remove();
  now.forEach((words, index) => {
    const line = region.children[index];
    if (!line) region.append(Object.assign(document.createElement('div'), { textContent: words }));
    else if (line.textContent !== words) line.textContent = words;
  });
  while (region.children.length > now.length) region.lastElementChild?.remove();
}
