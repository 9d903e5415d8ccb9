import { type EngineCapabilities, EngineRefused, type LabSpec } from '../computeEngine';
import { homeName } from './homes';

const refPattern = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/;
const hostnamePattern = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const variablePattern = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
const targetPattern = /^(\/datasets\/[A-Za-z0-9][A-Za-z0-9_.-]{0,127}|\/home\/lab\/knowledge)$/;
const longestValue = 4096;

/** Names become paths and arguments, so they are checked here too, whoever sent them. Throws `EngineRefused`. */
export function checkSpec(spec: LabSpec): void {
  const isNamed = refPattern.test(spec.ref) && homeName.test(spec.workshopId) && hostnamePattern.test(spec.hostname);
  const sizes = [spec.cpuCores, spec.memoryBytes, spec.diskBytes, spec.processes, spec.leaseLimitMs];
  const hasVariables = Object.entries(spec.env).every(([name, value]) => variablePattern.test(name) && isValue(value));
  const targets = new Set(spec.mounts.map((mount) => mount.target));
  const hasFolders = spec.mounts.every(({ source, target }) => isSource(source) && targetPattern.test(target));
  if (!isNamed || !sizes.every((size) => Number.isFinite(size) && size > 0))
    throw new EngineRefused('engine_error', 'not a lab that can be started');
  if (!hasVariables) throw new EngineRefused('engine_error', 'a variable has a name or value that shells cannot take');
  if (!hasFolders || targets.size !== spec.mounts.length)
    throw new EngineRefused('engine_error', 'a folder to show is no absolute path, or has no place of its own in the lab');
}

/** What the lab asks for and this host cannot give. Throws `EngineRefused`. */
export function checkAbilities(spec: LabSpec, { isolation, network, maxCpuCores, maxMemoryBytes }: EngineCapabilities): void {
  if (spec.cpuCores > maxCpuCores || spec.memoryBytes > maxMemoryBytes) {
    throw new EngineRefused('capacity', `this host has ${maxCpuCores} cores and ${maxMemoryBytes} bytes of memory`);
  }
  if (spec.network === 'egress' && network !== 'egress') throw new EngineRefused('engine_error', 'labs have no network here');
  if (spec.mounts.length > 0 && isolation === 'none')
    throw new EngineRefused('unsandboxed', 'folders can be shown read-only to isolated labs alone');
}

const isValue = (value: string) => value.length <= longestValue && !value.includes('\0') && !value.includes('\n');

/** Line ends, commas and quotes are signs of their own in what the path becomes part of. */
const isSource = (path: string) => path.startsWith('/') && path.length <= longestValue && !/[\0\n\r",]|\/\.\.?(\/|$)/.test(path);
