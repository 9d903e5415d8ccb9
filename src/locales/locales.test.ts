import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import routes, { type RouteConfig } from '../../config/routes';
import enUS from './en-US';
import zhCN from './zh-CN';

const source = join(__dirname, '..');

/** All code of the console that may show words: everything but the locales themselves and the tests. */
function code(): { path: string; text: string }[] {
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !/(^|\/)\.umi|^locales\/|\.test\.tsx?$|^testing\//.test(path))
    .map((path) => ({ path, text: readFileSync(join(source, path), 'utf8') }));
}

function menuKeys(list: RouteConfig[], parents: string[] = []): string[] {
  return list.flatMap((route) => {
    const names = route.name ? [...parents, route.name] : parents;
    return [...(route.name ? [`menu.${names.join('.')}`] : []), ...menuKeys(route.routes ?? [], names)];
  });
}

/** The holes of a message: `{amount}`, `{count, plural, …}`. */
function holesOf(message: string): string[] {
  return [...new Set([...message.matchAll(/\{\s*(\w+)\s*[,}]/g)].map(([, name]) => name ?? ''))].sort();
}

describe('the words', () => {
  it('are there in both languages', () => {
    expect(Object.keys(zhCN).sort()).toEqual(Object.keys(enUS).sort());
  });

  it('are never empty', () => {
    for (const words of [...Object.values(enUS), ...Object.values(zhCN)]) expect(words.trim()).not.toBe('');
  });

  it('have the same holes in both languages', () => {
    for (const [key, words] of Object.entries(enUS)) {
      expect({ key, holes: holesOf(zhCN[key as keyof typeof zhCN]) }).toEqual({ key, holes: holesOf(words) });
    }
  });

  it('are all used', () => {
    const text = code()
      .map((file) => file.text)
      .join('\n');
    const inMenu = new Set(menuKeys(routes));
    // Built keys: `change.kind.${kind}` uses every key that begins so.
    const built = [...text.matchAll(/`([a-z][\w.]*\.)\$\{[^}]+\}([\w.]*)`/gi)].map(([, start = '', end = '']) => ({ start, end }));
    const isUsed = (key: string) =>
      inMenu.has(key) ||
      text.includes(`'${key}'`) ||
      text.includes(`"${key}"`) ||
      built.some(({ start, end }) => key.startsWith(start) && key.endsWith(end));

    expect(Object.keys(enUS).filter((key) => !isUsed(key))).toEqual([]);
  });

  it('stand nowhere but in the locales', () => {
    const sentences = code()
      .filter(({ path }) => path.endsWith('.tsx'))
      .flatMap(({ path, text }) => {
        const bare = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
        const between = [
          ...bare.matchAll(/<\/?[a-zA-Z][^<>]*>\s*([A-Z][a-z]+(?: [a-z]+)*|[^<>{}\n]*[\u4e00-\u9fff][^<>{}\n]*)\s*<\//g),
        ];
        const attributes = [...bare.matchAll(/(?:title|label|placeholder|alt|aria-label)="([^"]*[a-z]{3}[^"]*)"/g)];
        return [...between, ...attributes].map(([, words]) => `${path}: ${words}`);
      });

    expect(sentences).toEqual([]);
  });
});
