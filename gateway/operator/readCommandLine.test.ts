import { defineCommand } from './command';
import { commands } from './commands';
import { CommandLineError, helpOf, readCommandLine } from './readCommandLine';

const report = defineCommand({
  name: 'lab report',
  summary: 'Says how labs are.',
  options: {
    days: { kind: 'count', meaning: 'so many days', default: 7, min: 1, max: 90 },
    json: { kind: 'switch', meaning: 'as JSON' },
  },
  run: async () => undefined,
});
const sweep = defineCommand({ name: 'lab sweep', summary: 'Sweeps labs.', options: {}, run: async () => undefined });
const book = defineCommand({
  name: 'lab book',
  summary: 'Books labs.',
  options: {
    reason: { kind: 'text', meaning: 'why', max: 12 },
    note: { kind: 'text', meaning: 'what to say', max: 5, default: '' },
  },
  run: async () => undefined,
});
const known = [report, sweep, book];
const read = (line: string) => readCommandLine(line.split(' ').filter(Boolean), known);

describe('a command line', () => {
  it.each([
    ['lab report', { days: 7, json: false }],
    ['lab report --json', { days: 7, json: true }],
    ['lab report --days 90', { days: 90, json: false }],
    ['lab report --days=1 --json', { days: 1, json: true }],
  ])('is read: %s', (line, options) => {
    expect(read(line)).toEqual({ isHelp: false, command: report, options });
  });

  it('keeps the words of a text, and knows which one is needed', () => {
    const words = ['lab', 'book', '--reason', ' two  words ', '--note=a'];
    expect(readCommandLine(words, known)).toMatchObject({ options: { reason: 'two  words', note: 'a' } });
    expect(readCommandLine(['lab', 'book', '--reason=why'], known)).toMatchObject({ options: { reason: 'why', note: '' } });
  });

  it.each([
    ['lab book', 'lab book needs --reason; lab book --help lists what it takes.'],
    ['lab book --reason', '--reason needs text of 1 to 12 characters.'],
    ['lab book --reason --note', '--reason needs text of 1 to 12 characters.'],
    ['lab book --reason thirteenchars', '--reason needs text of 1 to 12 characters.'],
    ['lab', 'There is no command lab; --help lists them all.'],
    ['lab repot', 'There is no command lab repot; --help lists them all.'],
    ['labs report --help', 'There is no command labs report; --help lists them all.'],
    ['--days 7', 'There is no command --days 7; --help lists them all.'],
    ['lab report --weeks 7', 'lab report knows no --weeks; lab report --help lists what it takes.'],
    ['lab report now', 'lab report knows no now; lab report --help lists what it takes.'],
    ['lab report --json=yes', 'lab report knows no yes; lab report --help lists what it takes.'],
    ['lab report days', 'lab report knows no days; lab report --help lists what it takes.'],
    ['lab report --constructor', 'lab report knows no --constructor; lab report --help lists what it takes.'],
    ['lab sweep --days 7', 'lab sweep knows no --days; lab sweep --help lists what it takes.'],
    ['lab report --days', '--days is without a number; it must be a whole number from 1 to 90.'],
    ['lab report --days 0', '--days is 0; it must be a whole number from 1 to 90.'],
    ['lab report --days -3', '--days is -3; it must be a whole number from 1 to 90.'],
    ['lab report --days 91', '--days is 91; it must be a whole number from 1 to 90.'],
    ['lab report --days 1e1', '--days is 1e1; it must be a whole number from 1 to 90.'],
    ['lab report --days --json', '--days is --json; it must be a whole number from 1 to 90.'],
  ])('that nobody can follow is answered with one sentence: %s', (line, sentence) => {
    expect(() => read(line)).toThrow(new CommandLineError(sentence));
  });

  it.each(['', '--help', '-h'])('with %j asks for all commands', (line) => {
    expect(read(line)).toEqual({ isHelp: true, command: null });
  });

  it('with --help after a command asks for that one', () => {
    expect(read('lab report --help')).toEqual({ isHelp: true, command: report });
  });
});

describe('the help', () => {
  it('lists every command with one sentence', () => {
    expect(helpOf(null, known).filter((line) => line.startsWith('  '))).toEqual([
      '  lab report  Says how labs are.',
      '  lab sweep   Sweeps labs.',
      '  lab book    Books labs.',
    ]);
  });

  it('of a command says what it takes, within which bounds, and what it takes otherwise', () => {
    expect(helpOf(report, known)).toEqual([
      'npm run operator -- lab report',
      'Says how labs are.',
      '',
      '  --days <1–90>  so many days (7)',
      '  --json         as JSON',
    ]);
  });
});

describe('the help of texts', () => {
  it('names them as such', () => {
    expect(helpOf(book, known).slice(3)).toEqual(['  --reason <text>  why', '  --note <text>    what to say']);
  });
});

describe('the commands', () => {
  it('are named once, a domain and a verb each, and say what they do in one sentence', () => {
    expect(new Set(commands.map(({ name }) => name)).size).toBe(commands.length);
    for (const { name, summary } of commands) {
      expect(name).toMatch(/^[a-z][A-Za-z]* [a-z][A-Za-z]*$/);
      expect(summary).toMatch(/^[A-Z][^.\n]{10,120}\.$/);
    }
  });
});
