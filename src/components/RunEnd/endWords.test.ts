import type { Text } from '@/utils/words';
import { exitWords, todoWords } from './endWords';

const text: Text = (word, values = {}) => `${word} ${Object.values(values).join(' ')}`.trim();

describe('the end of a run', () => {
  it.each([
    [0, 'run.exit.0'],
    [127, 'run.exit.127'],
    [137, 'run.exit.137'],
    [139, 'run.exit.139'],
    [143, 'run.exit.143'],
    [136, 'run.exit.signal 136 8'],
    [3, 'run.exit.other 3'],
    [255, 'run.exit.other 255'],
  ])('explains exit code %i', (exitCode, words) => {
    expect(exitWords({ stopReason: 'EXITED', exitCode }, text)).toBe(words);
  });

  it('leaves out the code of what was told to end', () => {
    expect(exitWords({ stopReason: 'MEMBER', exitCode: 137 }, text)).toBe('');
    expect(exitWords({ stopReason: 'EXITED', exitCode: null }, text)).toBe('');
  });

  it('says what to do about an end nobody asked for', () => {
    expect(todoWords({ stopReason: 'OUT_OF_MEMORY', exitCode: 137 }, text)).toBe('run.todo.OUT_OF_MEMORY');
    expect(todoWords({ stopReason: 'MEMBER', exitCode: null }, text)).toBe('');
  });
});
