import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as Esbuild from 'esbuild';

let program: Buffer | null = null;

/** The agent as one self-contained file: the bundle beside the gateway's, or made of the source where the gateway runs from source. */
export function agentProgram(): Buffer {
  program ??= __filename.endsWith('.ts') ? bundle() : readFileSync(join(__dirname, 'homeFilesAgent.js'));
  return program;
}

function bundle(): Buffer {
  // Loaded like this no bundler takes it along: nobody has it in production.
  const { buildSync }: typeof Esbuild = createRequire(__filename)('esbuild');
  const { outputFiles } = buildSync({
    entryPoints: [join(__dirname, 'agent', 'main.ts')],
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    tsconfigRaw: {},
    write: false,
  });
  return Buffer.from(outputFiles[0]?.contents ?? []);
}
