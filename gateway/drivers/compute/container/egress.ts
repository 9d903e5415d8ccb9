import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import type Docker from 'dockerode';
import { findProgram } from '../supervisor/host';
import { type DaemonFacts, unlessMissing } from './daemon';

const run = promisify(execFile);

/** Everything a lab with egress may not reach: private, shared, local, reserved and multicast addresses. */
export const blockedRanges = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/3',
] as const;

/** The network of labs that may reach the world and nothing near. */
export type Egress = { network: string; keepRules(): Promise<void> } | { network: null; detail: string };

/**
 * Prepares the network where it can be kept: by root, with Docker that manages the firewall itself. Anything less is no egress at
 * all, and `detail` says why.
 */
export async function openEgress(docker: Docker, facts: DaemonFacts, instanceId: string): Promise<Egress> {
  const iptables = findIptables();
  if (facts.isPodman) return { network: null, detail: 'Podman keeps no chain in which private addresses could be blocked' };
  if (process.getuid?.() !== 0 || !iptables) return { network: null, detail: 'blocking private addresses needs root and iptables' };
  const name = `atelier-egress-${instanceId.slice(0, 8)}`;
  const bridge = `atl-${instanceId.slice(0, 8)}`;
  try {
    await run(iptables, ['-w', '-n', '-L', 'DOCKER-USER']);
    if (!(await unlessMissing(docker.getNetwork(name).inspect()))) await createNetwork(docker, name, bridge, instanceId);
    const keepRules = () => keepAll(iptables, bridge);
    await keepRules();
    return { network: name, keepRules };
  } catch (error) {
    return {
      network: null,
      detail: `private addresses cannot be blocked: ${error instanceof Error ? error.message.trim() : String(error)}`,
    };
  }
}

async function createNetwork(docker: Docker, Name: string, bridge: string, instanceId: string): Promise<void> {
  await docker.createNetwork({
    Name,
    Driver: 'bridge',
    EnableIPv6: false,
    Labels: { 'atelier.instance': instanceId },
    Options: { 'com.docker.network.bridge.name': bridge, 'com.docker.network.bridge.enable_icc': 'false' },
  });
}

/** What goes through the host is refused by range; what goes to the host itself, whatever its address, altogether. */
async function keepAll(iptables: string, bridge: string): Promise<void> {
  for (const range of blockedRanges) await keepRule(iptables, 'DOCKER-USER', ['-i', bridge, '-d', range, '-j', 'REJECT']);
  await keepRule(iptables, 'INPUT', ['-i', bridge, '-j', 'REJECT']);
}

async function keepRule(iptables: string, chain: string, rule: string[]): Promise<void> {
  const isThere = await run(iptables, ['-w', '-C', chain, ...rule]).then(
    () => true,
    () => false,
  );
  if (!isThere) await run(iptables, ['-w', '-I', chain, ...rule]);
}

function findIptables(): string | null {
  return findProgram('iptables') ?? ['/usr/sbin/iptables', '/sbin/iptables'].find((path) => existsSync(path)) ?? null;
}
