import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Cgroups } from './cgroups';
import { writeEtc } from './etc';
import { firstLabUid } from './homes';
import { findNamespaceTools, type NamespaceTools, startNamespaceSandbox } from './namespaceSandbox';
import type { SandboxRequest } from './sandbox';

/** How labs are kept apart on this host. */
export type Isolation = { level: 'namespaces'; tools: NamespaceTools; hasOwnUids: boolean } | { level: 'none'; detail: string };

/** Tries the whole recipe, starting and joining, with a lab of no consequence; whatever fails, its words are the detail. */
export async function probeIsolation(folder: string, etc: string, cgroups: Cgroups | null): Promise<Isolation> {
  if (process.platform !== 'linux') return { level: 'none', detail: `no namespaces on ${process.platform}` };
  const tools = findNamespaceTools(readHelp);
  if (!tools) return { level: 'none', detail: 'bubblewrap, bash or a program of util-linux is missing' };
  writeEtc(etc);
  const hasOwnUids = process.getuid?.() === 0;
  const home = mkdtempSync(join(folder, 'probe-'));
  if (hasOwnUids) chownSync(home, firstLabUid, firstLabUid);
  const group = cgroups?.createGroup('isolation-probe', { memoryBytes: 256 * 1024 ** 2, cpuCores: 1, processes: 32 }) ?? null;
  try {
    await tryRecipe(tools, etc, { spec: probeSpec, homePath: home, uid: hasOwnUids ? firstLabUid : null, cores: [], group });
    return { level: 'namespaces', tools, hasOwnUids };
  } catch (error) {
    return { level: 'none', detail: error instanceof Error ? error.message : String(error) };
  } finally {
    rmSync(home, { recursive: true, force: true });
    group?.delete();
  }
}

async function tryRecipe(tools: NamespaceTools, etc: string, request: SandboxRequest): Promise<void> {
  const sandbox = await startNamespaceSandbox({ ...tools, script: null }, etc, request);
  try {
    const { file, args, env, cwd } = sandbox.terminalCommand();
    // The command ends in an interactive shell; it reads this one line and leaves.
    execFileSync(file, args, { env, cwd, input: 'exit 0\n', stdio: ['pipe', 'ignore', 'pipe'], timeout: 10_000 });
  } finally {
    await sandbox.kill();
  }
}

/** What a bubblewrap says of itself. */
export function readHelp(bwrap: string): string {
  try {
    return execFileSync(bwrap, ['--help'], { encoding: 'utf8', timeout: 5000 });
  } catch (error) {
    if (error instanceof Error && 'status' in error) return '';
    throw error;
  }
}

const probeSpec: SandboxRequest['spec'] = {
  ref: 'probe',
  sessionId: 'probe',
  workshopId: 'probe',
  memberId: 'probe',
  installationId: 'probe',
  image: { imageId: 'probe', reference: null, commands: [] },
  env: {},
  mounts: [],
  network: 'none',
  cpuCores: 1,
  memoryBytes: 64 * 1024 ** 2,
  diskBytes: 16 * 1024 ** 2,
  processes: 16,
  hostname: 'probe',
  leaseLimitMs: 1,
};
