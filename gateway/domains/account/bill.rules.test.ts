import { Refusal } from '../../refusal';
import { csvLine, requireSpan } from './bill.rules';

describe('a span of days', () => {
  it.each([
    ['2026-03-01', '2026-03-01'],
    ['2026-01-01', '2027-01-01'],
  ])('may be from %s to %s', (from, to) => {
    expect(() => requireSpan({ from, to })).not.toThrow();
  });

  it.each([
    ['2026-02-30', '2026-03-01', 'query.from'],
    ['2026-02-01', '2026-13-01', 'query.to'],
    ['2026-03-02', '2026-03-01', 'query.to'],
    ['2026-01-01', '2027-01-02', 'query.to'],
  ])('is not from %s to %s', (from, to, field) => {
    const refused = (() => {
      try {
        requireSpan({ from, to });
        return null;
      } catch (error) {
        return error;
      }
    })();
    expect(refused).toBeInstanceOf(Refusal);
    expect(refused).toMatchObject({ error: 'INVALID_INPUT', options: { problems: [{ field }] } });
  });
});

describe('a line of CSV', () => {
  it.each([
    [['a', 'b', 1.5], 'a,b,1.5\r\n'],
    [['say "hi", all'], '"say ""hi"", all"\r\n'],
    [['two\nlines'], '"two\nlines"\r\n'],
    [['=1+1', '+1', '-1', '@SUM(A1)', '\tx'], "'=1+1,'+1,'-1,'@SUM(A1),'\tx\r\n"],
    [['=HYPERLINK("http://x","y")'], `"'=HYPERLINK(""http://x"",""y"")"\r\n`],
    [[-1.5], '-1.5\r\n'],
  ])('%j is %j', (cells, line) => {
    expect(csvLine(cells)).toBe(line);
  });
});
