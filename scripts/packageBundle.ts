import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join, relative, resolve } from 'node:path';
import { build, type Plugin, type PluginBuild, type ResolveResult } from 'esbuild';

type Mapping = Readonly<Record<string, string | string[]>>;

interface Wanted {
  /** Whose sources, tests among them, tell which packages there are. */
  folders: readonly string[];
  /** As Jest looks into the `exports` of a package in this environment. */
  condition: 'node' | 'browser';
  /** Jest's own mapping, which holds in packages as well. */
  mapping: Mapping;
  /** What stays where it is: native programs, tools, and what only few tests load. */
  left: RegExp;
}

const CACHE = 'node_modules/.cache/atelier';
const IN_PACKAGES = /[\\/]node_modules[\\/]/;
/** The folder of the package a module is of. */
const PACKAGE = /.*[\\/]node_modules[\\/](@[^\\/]+[\\/])?[^\\/]+/;
const builtins = new Set(builtinModules);

/**
 * The packages a project's tests load, in one file: Jest loads every module anew for each test file, and thousands of small ones take it
 * longer than most tests. Returns the mapping that leads to them; made once for the same packages.
 */
export async function bundlePackages(wanted: Wanted): Promise<Record<string, string>> {
  const names = await findPackages(wanted);
  const settings = JSON.stringify([names, wanted.condition, wanted.mapping, `${wanted.left}`, process.version]);
  const hash = createHash('sha256').update(settings).update(readFileSync('package-lock.json')).update(readFileSync(__filename));
  const folder = resolve(CACHE, `${wanted.condition}-${hash.digest('hex').slice(0, 16)}`);
  if (!existsSync(folder)) await writeBundle(folder, names, wanted);
  return Object.fromEntries(names.map((name, nth) => [`^${literally(name)}$`, join(folder, `${nth}.js`)]));
}

/** Every package's name or path that a source asks for. */
async function findPackages({ folders, mapping, left }: Wanted): Promise<string[]> {
  const found = new Set<string>();
  const note: Plugin = {
    name: 'note',
    setup: ({ onResolve }) =>
      onResolve({ filter: /./ }, ({ path, kind }) => {
        if (kind === 'entry-point') return null;
        if (kind !== 'require-resolve' && isOfPackage(path, mapping) && !left.test(path)) found.add(path);
        return { path, external: true };
      }),
  };
  const entryPoints = folders.flatMap(sourcesIn);
  await build({ entryPoints, bundle: true, write: false, outdir: CACHE, platform: 'neutral', plugins: [note], tsconfigRaw: {} });
  return [...found].sort();
}

function sourcesIn(folder: string): string[] {
  return (
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /(?<!\.d)\.tsx?$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      // What Umi generates beside the sources is different for each of its programs.
      .filter((file) => !relative(folder, file).includes('.umi'))
  );
}

function isOfPackage(path: string, mapping: Mapping): boolean {
  if (/^(\.|node:)|\.(css|less)$/.test(path) || builtins.has(path)) return false;
  const target = mapped(path, mapping);
  return !target.startsWith('/') || IN_PACKAGES.test(target);
}

/** Where Jest's mapping leads; the path itself where it says nothing. */
function mapped(path: string, mapping: Mapping): string {
  for (const [pattern, target] of Object.entries(mapping)) {
    const match = new RegExp(pattern).exec(path);
    if (match && typeof target === 'string') return target.replaceAll(/\$(\d)/g, (_, group) => match[Number(group)] ?? '');
  }
  return path;
}

async function writeBundle(folder: string, names: readonly string[], { condition, mapping, left }: Wanted): Promise<void> {
  // Another run may be making the same one: whoever is done first, both are well served.
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  await build({
    stdin: {
      contents: `module.exports = {${names.map((name) => `${JSON.stringify(name)}: () => require(${JSON.stringify(name)})`)}};`,
      resolveDir: resolve('.'),
    },
    outfile: join(unfinished, 'all.js'),
    ...{
      bundle: true,
      format: 'cjs',
      platform: 'neutral',
      target: 'node20',
      conditions: [condition],
      mainFields: ['main', 'module'],
    },
    ...{
      minifyWhitespace: true,
      legalComments: 'none',
      logLevel: 'error',
      loader: { '.css': 'empty', '.less': 'empty' },
      tsconfigRaw: {},
    },
    plugins: [asJestResolves(mapping, left)],
  });
  for (const [nth, name] of names.entries()) {
    writeFileSync(join(unfinished, `${nth}.js`), `module.exports = require('./all.js')[${JSON.stringify(name)}]();\n`);
  }
  if (existsSync(folder)) rmSync(unfinished, { recursive: true });
  else renameSync(unfinished, folder);
}

/** One copy of each package, the one for `require`, as Jest takes it; what is mapped to our sources is asked for at run time. */
function asJestResolves(mapping: Mapping, left: RegExp): Plugin {
  const asked = Symbol('asked by ourselves');
  const answers = new Map<string, Promise<ResolveResult>>();
  const setup = ({ onResolve, resolve: find }: PluginBuild): void => {
    onResolve({ filter: /^[^.]/ }, async ({ path, kind, pluginData, resolveDir, importer }) => {
      if (pluginData === asked) return null;
      if (!isOfPackage(path, mapping) || left.test(path)) return { path, external: true };
      const target = mapped(path, mapping);
      if (kind === 'require-call' && target === path) return null;
      // Each of these costs milliseconds, and a package's modules all get the same answer.
      const key = `${target} ${PACKAGE.exec(importer)?.[0]}`;
      const answer = answers.get(key) ?? find(target, { kind: 'require-call', resolveDir, importer, pluginData: asked });
      answers.set(key, answer);
      return answer;
    });
  };
  return { name: 'as Jest resolves', setup };
}

function literally(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
