import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IApi } from '@umijs/max';
import { build } from 'esbuild';

const FILE = 'tracker/tracker.js';

/** The usage tracker, a program of its own at a fixed path: written beside the built console, made anew for each request in development. */
export default (api: IApi) => {
  api.describe({ key: 'trackerProgram' });
  api.onBuildComplete(async ({ err }) => {
    if (err) return;
    const file = join(api.paths.absOutputPath, FILE);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, await buildTracker(api.cwd));
  });
  api.addBeforeMiddlewares(() => async (request, response, next) => {
    if (request.path !== `/${FILE}`) return next();
    try {
      response
        .type('text/javascript')
        .set('cache-control', 'no-store')
        .send(await buildTracker(api.cwd));
    } catch (error) {
      next(error);
    }
  });
};

/** The program's text, small enough that loading it is nobody's delay. */
export async function buildTracker(root: string): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['src/tracker/main.ts'],
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2020',
    write: false,
    // The console's settings name types that the program does without.
    tsconfigRaw: {},
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}
