import { randomUUID } from 'node:crypto';
import type { ComputeEngine, LabSpec, Observed } from '../computeEngine';

const mebibyte = 1024 ** 2;

/** A small lab; every one is its own workshop unless told otherwise. */
export function buildLabSpec(overrides: Partial<LabSpec> = {}): LabSpec {
  const unique = randomUUID().slice(0, 8);
  return {
    ref: `ws-${unique}-g1`,
    sessionId: `session-${unique}`,
    workshopId: `workshop-${unique}`,
    memberId: 'member-1',
    installationId: 'installation-1',
    image: { imageId: 'shell', reference: process.env.ATELIER_LAB_IMAGE ?? null, commands: ['bash'] },
    cpuCores: 1,
    memoryBytes: 512 * mebibyte,
    diskBytes: 256 * mebibyte,
    processes: 64,
    hostname: `ws-${unique}`,
    leaseLimitMs: 600_000,
    env: {},
    mounts: [],
    network: 'none',
    ...overrides,
  };
}

export async function findLab(engine: ComputeEngine, ref: string): Promise<Observed | undefined> {
  return (await engine.list()).labs.find((lab) => lab.ref === ref);
}

/** Waits until the engine lists the lab in this state. */
export async function waitForState(
  engine: ComputeEngine,
  ref: string,
  state: Observed['state'],
  timeoutMs = 20_000,
): Promise<Observed> {
  let lab: Observed | undefined;
  await waitUntil(
    async () => {
      lab = await findLab(engine, ref);
      return lab?.state === state || lab?.state === 'ended';
    },
    timeoutMs,
    () => `lab ${ref} did not get ${state}; it is ${lab?.state ?? 'not listed'}`,
  );
  if (!lab || lab.state !== state) throw new Error(`lab ${ref} ended by ${lab?.endReason}: ${lab?.detail}`);
  return lab;
}

/** Starts a lab and waits until it runs. */
export async function startLab(engine: ComputeEngine, overrides: Partial<LabSpec> = {}): Promise<LabSpec> {
  const spec = buildLabSpec(overrides);
  await engine.ensureStarted(spec);
  await waitForState(engine, spec.ref, 'running');
  return spec;
}

/** Ends the lab at once and waits until the engine says so. */
export async function endLab(engine: ComputeEngine, ref: string): Promise<Observed> {
  await engine.stop(ref, { graceMs: 0 });
  return waitForState(engine, ref, 'ended');
}

export async function waitUntil(
  isTrue: () => Promise<boolean> | boolean,
  timeoutMs: number,
  sentence: () => string,
): Promise<void> {
  const deadlineMs = performance.now() + timeoutMs;
  while (!(await isTrue())) {
    if (performance.now() > deadlineMs) throw new Error(sentence());
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
