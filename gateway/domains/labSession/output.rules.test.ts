import { textOfOutput } from './output.rules';

const text = (printed: string | Uint8Array, isCut = false) =>
  textOfOutput(typeof printed === 'string' ? Buffer.from(printed) : printed, isCut);

describe('what a terminal printed, as text', () => {
  it.each([
    ['colours', '\u001b[1;31mred\u001b[0m plain', 'red plain'],
    ['titles that end with a bell', '\u001b]0;a title\u0007after', 'after'],
    ['links that end with a string terminator', '\u001b]8;;https://x\u001b\\link\u001b]8;;\u001b\\', 'link'],
    ['cursor movements and modes', '\u001b[?2004h$ \u001b[2K\u001b[10;3Hls\u001b(B', '$ ls'],
    ['an unfinished sequence', 'kept\u001b[3', 'kept'],
    ['an unfinished title', 'kept\u001b]0;half', 'kept'],
    ['bells and other unseen bytes', 'a\u0007b\u0000c\u009bd', 'abcd'],
  ])('is without %s', (_what, printed, expected) => {
    expect(text(printed)).toBe(expected);
  });

  it('keeps of a line what stood there at last', () => {
    expect(text('10 %\r50 %\r100 %\r\ndone\r\n')).toBe('100 %\ndone\n');
    expect(text('lss\b \b -l\n')).toBe('ls -l\n');
    expect(text('\tindented\n\nlines')).toBe('\tindented\n\nlines');
  });

  it('repairs UTF-8 that was cut in the middle and drops the line it broke', () => {
    const bytes = Buffer.from('半 line\n整行 ✓');

    expect(text(bytes.subarray(1), true)).toBe('整行 ✓');
    expect(text(Buffer.concat([Buffer.from('ok '), bytes.subarray(1, 3)]))).toMatch(/^ok \ufffd+$/);
  });

  it('takes a quarter of a megabyte of escapes without trying long', () => {
    const started = performance.now();

    text('\u001b]'.repeat(131_072));
    text('\u001b[;'.repeat(87_381));
    text('\r\b'.repeat(131_072));

    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
