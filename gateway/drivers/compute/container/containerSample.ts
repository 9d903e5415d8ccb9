import type { ContainerStats } from 'dockerode';
import type { LabSample } from '../computeEngine';

type Told = Partial<ContainerStats> & { network?: ContainerStats['networks'] };

/** What a daemon tells of one lab, in our counters. Podman calls its networks `network`. */
export function readSample(
  told: Told,
  lab: { ref: string; diskBytes: number | null; isOnline: boolean; sampledAtMs: number },
): LabSample {
  const { ref, diskBytes, isOnline, sampledAtMs } = lab;
  const networks = Object.values(told.networks ?? told.network ?? {});
  const sum = (name: 'rx_bytes' | 'tx_bytes') => networks.reduce((total, network) => total + network[name], 0);
  return {
    ref,
    sampledAtMs,
    cpuMsTotal: Math.floor((told.cpu_stats?.cpu_usage.total_usage ?? 0) / 1e6),
    memoryBytes: heldBytes(told.memory_stats),
    diskBytes,
    processes: told.pids_stats?.current ?? 0,
    rxBytes: isOnline ? sum('rx_bytes') : null,
    txBytes: isOnline ? sum('tx_bytes') : null,
  };
}

/** Without the cache of files that the kernel takes back whenever it wants; version 1 and 2 of cgroups call it differently. */
function heldBytes(memory: Told['memory_stats']): number {
  const stats: Partial<Record<string, number>> = { ...memory?.stats };
  const cache = stats.total_inactive_file ?? stats.inactive_file ?? 0;
  return Math.max(0, (memory?.usage ?? 0) - cache);
}
