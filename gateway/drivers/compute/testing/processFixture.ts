import { chmodSync, chownSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import type { ComputeEngine } from '../computeEngine';
import { createContainerEngine } from '../containerEngine';
import { createProcessEngine } from '../processEngine';
import { preparePaths, readInstanceId } from '../supervisor/paths';
import { isAlive, readProcess } from '../supervisor/procTree';
import { protocolVersion } from '../supervisor/protocol';
import type { SupervisorSettings } from '../supervisor/settings';
import { greetSupervisor } from '../supervisorClient';
import { supervisorCommand } from '../supervisorProcess';
import { waitUntil } from './labFixtures';

/** An ordinary host uid that owns nothing. */
const plainUid = 12_345;

const quickSettings: Partial<SupervisorSettings> = { diskPollMs: 300, idleExitMs: 1000, minFreeMemoryBytes: 0 };

export interface ProcessFixture {
  dataDir: string;
  engine: ComputeEngine;
  /** Another gateway on the same DATA_DIR. */
  connect(): Promise<ComputeEngine>;
  supervisorPid(): Promise<number>;
  supervisorResidentBytes(): Promise<number>;
  /** Ends the supervisor and what it owns, and takes the folder away. */
  close(): Promise<void>;
}

export interface ProcessFixtureOptions {
  settings?: Partial<SupervisorSettings>;
  /** Runs the supervisor as an ordinary uid; only root can arrange that. */
  isPlainUid?: boolean;
  isUnsandboxedAllowed?: () => Promise<boolean>;
  /** Labs are containers of the daemon behind this socket. */
  containerSocket?: string;
  /** A folder below the temp folder, to make DATA_DIR's path as long as wanted. */
  subfolder?: string;
}

/** A process engine on a DATA_DIR of its own, with its supervisor running. */
export async function openProcessFixture(options: ProcessFixtureOptions = {}): Promise<ProcessFixture> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-compute-'));
  const dataDir = join(folder, options.subfolder ?? 'data');
  prepareOwner(folder, dataDir, options.isPlainUid ?? false);
  const engines: ComputeEngine[] = [];
  const connect = async () => {
    const shared = {
      dataDir,
      log: pino({ level: 'silent' }),
      settings: { ...quickSettings, ...options.settings },
      supervisorCommand: options.isPlainUid ? [...asPlainUid, ...supervisorCommand()] : supervisorCommand(),
    };
    const { containerSocket, isUnsandboxedAllowed = async () => true } = options;
    const engine = containerSocket
      ? await createContainerEngine({ ...shared, socketPaths: [containerSocket] })
      : createProcessEngine({ ...shared, isUnsandboxedAllowed });
    engines.push(engine);
    await engine.open();
    return engine;
  };
  const supervisorPid = async () => {
    const { socket, welcome } = await greetSupervisor(dataDir, {
      protocol: protocolVersion,
      channel: 'control',
      engine: options.containerSocket ? 'container' : 'process',
    });
    socket.destroy();
    return welcome.supervisorPid;
  };
  const engine = await connect().catch((error: unknown) => {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  });
  return {
    dataDir,
    engine,
    connect,
    supervisorPid,
    supervisorResidentBytes: async () => readProcess(await supervisorPid())?.residentBytes ?? 0,
    close: async () => {
      await Promise.all(engines.map((each) => each.close()));
      // By the folder's name, so that one that is only just starting is found too.
      for (let pids = findSupervisors(dataDir); pids.length > 0; pids = findSupervisors(dataDir))
        await Promise.all(pids.map((pid) => endProcess(pid)));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Asks a process to end and waits until it has. */
export async function endProcess(pid: number, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  const mark = readProcess(pid);
  if (!mark) return;
  process.kill(pid, signal);
  await waitUntil(
    () => !isAlive(mark),
    20_000,
    () => `process ${pid} did not end`,
  );
}

/** Pids of everything on this host whose command line or environment names `text`. */
export function findProcesses(text: string): number[] {
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) return [];
    return ['cmdline', 'environ'].some((file) => readProc(pid, file).includes(text)) ? [pid] : [];
  });
}

function findSupervisors(dataDir: string): number[] {
  return findProcesses(JSON.stringify(dataDir)).filter(
    (pid) => readProcess(pid)?.state !== 'Z' && readProc(pid, 'cmdline').includes('"dataDir"'),
  );
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    // It ended meanwhile.
    return '';
  }
}

const asPlainUid = ['/usr/bin/setpriv', '--reuid', String(plainUid), '--regid', String(plainUid), '--clear-groups'];

function prepareOwner(folder: string, dataDir: string, isPlainUid: boolean): void {
  chmodSync(folder, 0o755);
  const paths = preparePaths(dataDir);
  readInstanceId(paths);
  if (!isPlainUid) return;
  for (const path of [dataDir, paths.folder, paths.homes, paths.instance]) chownSync(path, plainUid, plainUid);
}
