import { type Child, startChild } from './childProcess';

export interface GatewayProcess extends Child {
  origin: string;
}

/** The real gateway as a process on `dataDir` and a free port, ready to serve. */
export async function startGatewayProcess(
  dataDir: string,
  { entry = 'gateway/main.ts', env = {} }: { entry?: string; env?: Record<string, string> } = {},
): Promise<GatewayProcess> {
  const child = startChild(entry, { DATA_DIR: dataDir, PORT: '0', COMPUTE_ENGINE: 'simulated', LOG_LEVEL: 'warn', ...env });
  const [, origin = ''] = await child.line(/^Atelier is ready on (\S+)$/);
  return { ...child, origin };
}
