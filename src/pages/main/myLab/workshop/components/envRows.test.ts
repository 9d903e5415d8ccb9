import { envOf, problemOf, rowsOf, withLines } from './envRows';

const most = { names: 2, valueLength: 5 };
const rows = (...pairs: [string, string][]) => pairs.map(([name, value], row) => ({ row, name, value }));

describe('pasted lines', () => {
  it('are read as a file of variables or a shell has them', () => {
    const lines = '# keys\nexport A=1\n\nB = "two words"\r\nC=\'x=y\'\nEMPTY=';

    expect(envOf(withLines([], lines).rows)).toEqual({ A: '1', B: 'two words', C: 'x=y', EMPTY: '' });
  });

  it('replace what has their name, keep the rest, and count what cannot be read', () => {
    const { rows: after, unread } = withLines(rowsOf({ A: 'old', B: 'b' }), 'A=new\nnot a line\n1X=2');

    expect(envOf(after)).toEqual({ A: 'new', B: 'b' });
    expect(unread).toBe(2);
  });
});

describe('typed variables', () => {
  it('leave out the row in which nothing stands yet', () => {
    expect(envOf(rows(['A', '1'], ['', '']))).toEqual({ A: '1' });
    expect(problemOf(rows(['A', '1'], ['', '']), most)).toBeNull();
  });

  it.each([
    ['name', rows(['1A', 'x'])],
    ['name', rows(['', 'x'])],
    ['name', rows(['A'.repeat(65), 'x'])],
    ['twice', rows(['A', '1'], ['A ', '2'])],
    ['long', rows(['A', '123456'])],
    ['many', rows(['A', ''], ['B', ''], ['C', ''])],
  ] as const)('are refused for %s', (problem, typed) => {
    expect(problemOf(typed, most)).toBe(problem);
  });
});
