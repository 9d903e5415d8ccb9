import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const ROOT = resolve(__dirname, '..');
const FOLDERS = ['gateway', 'src', 'config', 'mock', 'e2e', 'scripts'].filter((folder) => existsSync(join(ROOT, folder)));
const IMPORT = /^(?:import|export)\s+(?<type>type\s)?(?<names>[^'"]*?)\s*from\s+['"](?<from>[^'"]+)['"]/gms;

interface Import {
  file: string;
  /** The imported file without its ending, from the root; null for a package. */
  target: string | null;
  isTypeOnly: boolean;
}

const files = FOLDERS.flatMap((folder) => listFiles(join(ROOT, folder))).map((file) => relative(ROOT, file));
const sources = files.filter((file) => /\.(tsx?|mjs)$/.test(file) && !file.startsWith('src/.umi'));
const imports = sources.flatMap(readImports);

function listFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name.startsWith('.umi')) return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? listFiles(path) : [path];
  });
}

function readImports(file: string): Import[] {
  return [...readFileSync(join(ROOT, file), 'utf8').matchAll(IMPORT)].map(({ groups }) => {
    const { type, names = '', from = '' } = groups ?? {};
    const each = names
      .replace(/[{}]/g, '')
      .split(',')
      .filter((name) => name.trim() !== '');
    return {
      file,
      target: locate(file, from),
      isTypeOnly: type !== undefined || (names.includes('{') && each.every((name) => /^\s*type\s/.test(name))),
    };
  });
}

function locate(file: string, from: string): string | null {
  if (from.startsWith('@/')) return join('src', from.slice(2));
  return from.startsWith('.') ? relative(ROOT, resolve(ROOT, dirname(file), from)) : null;
}

/** The imports between two sets of files that no exception allows, as sentences. */
function forbidden(from: RegExp, to: RegExp, isAllowed: (line: Import) => boolean = () => false): string[] {
  const crossing = imports.filter(({ file, target }) => from.test(file) && target !== null && to.test(target));
  return crossing.filter((line) => !isAllowed(line)).map(({ file, target }) => `${file} → ${target}`);
}

const isTest = (file: string) => /\.(test|suite|spec)\.tsx?$|\/testing\/|\/(testbed|labRun|\w+World|\w+Model)\.ts$/.test(file);
/** Where services and routes that belong together are put together. */
const isComposition = (file: string) => /Services\.ts$/.test(file);
/** Run-time parts of the contract that are constants alone and therefore may reach the browser. */
const CONSTANTS = /^gateway\/contract\/(errors|limits|entitlements|workshopStates|imageStates|orderStates|terminal|trackLimits)$/;

describe('imports', () => {
  it('are found at all', () => {
    expect(imports.length).toBeGreaterThan(300);
    expect(imports.filter(({ isTypeOnly }) => isTypeOnly).length).toBeGreaterThan(50);
  });

  it('take nothing of the gateway into the browser but the contract’s types and constants', () => {
    const isContract = ({ file, target, isTypeOnly }: Import) =>
      /^gateway\/contract\//.test(target ?? '') && (isTypeOnly || isTest(file) || CONSTANTS.test(target ?? ''));

    expect(forbidden(/^(src|config)\//, /^gateway\//, isContract)).toEqual([]);
  });

  it('take nothing of the gateway into mock mode but the contract’s types and the one handler', () => {
    const isHandler = ({ target, isTypeOnly }: Import) =>
      target === 'gateway/testing/mockHandler' || (isTypeOnly && /^gateway\/contract\//.test(target ?? ''));

    expect(forbidden(/^mock\//, /^(gateway|src)\//, isHandler)).toEqual([]);
  });

  it('never lead from the gateway to the console', () => {
    expect(forbidden(/^gateway\//, /^(src|mock|config)\//)).toEqual([]);
  });

  it('never lead back up: utils and services to pages, components or hooks', () => {
    expect(
      forbidden(/^src\/(utils|services)\//, /^src\/(pages|layouts|components|hooks|models)\//, ({ file }) => isTest(file)),
    ).toEqual([]);
    expect(forbidden(/^src\/(components|hooks|models)\//, /^src\/pages\//, ({ file }) => isTest(file))).toEqual([]);
  });

  it('reach another domain through its services alone', () => {
    const domainOf = (path: string) => /^gateway\/domains\/([^/]+)\//.exec(path)?.[1];
    const isOwnOrService = ({ file, target, isTypeOnly }: Import) =>
      isTest(file) ||
      isComposition(file) ||
      isTypeOnly ||
      domainOf(file) === domainOf(target ?? '') ||
      /(\.service|\.rules)$/.test(target ?? '');

    expect(forbidden(/^gateway\/domains\//, /^gateway\/domains\//, isOwnOrService)).toEqual([]);
  });

  it('lead from routes to services, never from rules to anything that acts', () => {
    expect(forbidden(/\.routes\.ts$/, /\.repository$/, ({ isTypeOnly }) => isTypeOnly)).toEqual([]);
    expect(forbidden(/\.rules\.ts$/, /(\.service|\.repository|\.routes|db\/client)$/, ({ isTypeOnly }) => isTypeOnly)).toEqual([]);
  });

  it('keep drivers, contract and database apart from the domains', () => {
    expect(forbidden(/^gateway\/(contract|db|drivers)\//, /^gateway\/(domains|plugins)\//, ({ file }) => isTest(file))).toEqual([]);
  });

  it('go in no circle', () => {
    const graph = new Map(sources.map((file) => [file.replace(/\.(tsx?|mjs)$/, ''), new Set<string>()]));
    for (const { file, target, isTypeOnly } of imports) {
      if (target && !isTypeOnly) graph.get(file.replace(/\.(tsx?|mjs)$/, ''))?.add(graph.has(target) ? target : `${target}/index`);
    }

    expect(findCircle(graph)).toEqual([]);
  });
});

function findCircle(graph: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const done = new Set<string>();
  function visit(node: string, path: readonly string[]): string[] {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node];
    if (done.has(node)) return [];
    for (const next of graph.get(node) ?? []) {
      const circle = visit(next, [...path, node]);
      if (circle.length > 0) return circle;
    }
    done.add(node);
    return [];
  }
  return [...graph.keys()].map((node) => visit(node, [])).find((circle) => circle.length > 0) ?? [];
}

describe('files', () => {
  it.each([
    ['300 lines', (file: string) => !isTest(file), 300],
    ['400 lines when they test', isTest, 400],
  ])('have at most %s', (_name, isMeant, most) => {
    const lengths = sources
      .filter(isMeant)
      .map((file) => ({ file, lines: readFileSync(join(ROOT, file), 'utf8').split('\n').length - 1 }));

    expect(lengths.filter(({ lines }) => lines > most)).toEqual([]);
  });

  it('re-export nothing in barrels', () => {
    const barrels = sources.filter(
      (file) => /(^|\/)index\.ts$/.test(file) && /^export \*|^export \{[^}]*\} from/m.test(readFileSync(join(ROOT, file), 'utf8')),
    );

    expect(barrels).toEqual([]);
  });

  it('leave nothing for later in a comment', () => {
    const marks = /\b(TO[D]O|FIX[M]E|X[X]X)\b|@ts-(ignore|expect-error)|(biome|eslint)-[i]gnore/;

    expect(sources.filter((file) => marks.test(readFileSync(join(ROOT, file), 'utf8')))).toEqual([]);
  });

  it('lock every platform’s build of a native package, without which npm ci refuses the lock file', () => {
    const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { optionalDependencies?: Record<string, string> }>;
    };
    const locked = new Set(Object.keys(packages).map((place) => place.split('node_modules/').at(-1)));
    const wanted = Object.values(packages).flatMap((entry) => Object.keys(entry.optionalDependencies ?? {}));

    expect(wanted.length).toBeGreaterThan(0);
    expect(wanted.filter((name) => !locked.has(name))).toEqual([]);
  });

  it('lock versions without naming a registry', () => {
    const lock = readFileSync(join(ROOT, 'package-lock.json'), 'utf8');

    expect(lock).not.toMatch(/"resolved"|https?:\/\/(?!.*(funding|opencollective|github|patreon|paypal))[^"]*\.tgz/);
  });
});
