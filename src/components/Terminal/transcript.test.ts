import { updateTranscript } from './transcript';

function region(lines: string[]): HTMLElement {
  const element = document.createElement('div');
  updateTranscript(element, lines);
  return element;
}
const wordsOf = (element: HTMLElement) => [...element.children].map((line) => line.textContent);

describe('the transcript of a terminal', () => {
  it('adds new lines and leaves the old ones untouched, so that only news are spoken', () => {
    const element = region(['lab$ ']);
    const [prompt] = element.children;

    updateTranscript(element, ['lab$ echo 42', '42', 'lab$ ']);

    expect(wordsOf(element)).toEqual(['lab$ echo 42', '42', 'lab$ ']);
    expect(element.firstElementChild).toBe(prompt);
  });

  it('lets lines scroll away at the top', () => {
    const element = region(['one', 'two', 'three']);
    const [, two] = element.children;

    updateTranscript(element, ['two', 'three', 'four']);

    expect(wordsOf(element)).toEqual(['two', 'three', 'four']);
    expect(element.firstElementChild).toBe(two);
  });

  it('begins anew after the screen was cleared', () => {
    const element = region(['one', 'two', 'three']);

    updateTranscript(element, ['lab$ ']);

    expect(wordsOf(element)).toEqual(['lab$ ']);
  });
});
