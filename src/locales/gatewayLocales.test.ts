import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { chineseSlips, holesOf, stringsOf } from '@/testing/wordSlips';

const gateway = join(__dirname, '../../gateway');
const locales = readdirSync(join(gateway, 'locales'));

/** The sentences of one of the gateway's locale files, by their name; read, for no code of the console may import them. */
function wordsOf(file: string): Record<string, string> {
  const words: Record<string, string> = {};
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && ts.isStringLiteralLike(node.initializer) && ts.isIdentifier(node.name)) {
      words[node.name.text] = node.initializer.text;
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readFileSync(join(gateway, 'locales', file), 'utf8'), ts.ScriptTarget.Latest, false));
  return words;
}

/** Every name the gateway's own code writes down, outside of the sentences and the tests. */
function namesUsed(): Set<string> {
  const isCode = (path: string) => path.endsWith('.ts') && !/\.(test|suite)\.ts$|^locales\/.*-|^testing\//.test(path);
  const files = readdirSync(gateway, { recursive: true, encoding: 'utf8' }).filter(isCode);
  return new Set(files.flatMap((path) => stringsOf(readFileSync(join(gateway, path), 'utf8'))));
}

const pairs = locales.filter((file) => file.endsWith('en-US.ts')).map((file) => [file, file.replace('en-US', 'zh-CN')] as const);

describe.each(pairs)('the gateway’s words of %s and %s', (englishFile, chineseFile) => {
  const english = wordsOf(englishFile);
  const chinese = wordsOf(chineseFile);

  it('are there in both languages', () => {
    expect(Object.keys(english).length).toBeGreaterThan(10);
    expect(Object.keys(chinese).sort()).toEqual(Object.keys(english).sort());
  });

  it('are never empty and have the same holes', () => {
    const wrong = Object.entries(english).filter(([name, sentence]) => {
      const other = chinese[name] ?? '';
      return sentence.trim() === '' || other.trim() === '' || `${holesOf(sentence)}` !== `${holesOf(other)}`;
    });

    expect(wrong).toEqual([]);
  });

  it('are all used', () => {
    const used = namesUsed();

    expect(Object.keys(english).filter((name) => !used.has(name))).toEqual([]);
  });

  it.each(chineseSlips)('hold in Chinese nowhere %s', (_what, slip) => {
    expect(Object.entries(chinese).filter(([, sentence]) => slip.test(sentence))).toEqual([]);
  });
});
