import type { FastifyBaseLogger } from 'fastify';
import type { ComputeEngine } from '../compute/computeEngine';
import { isSimulated } from '../compute/simulatedEngine';
import { createAgentHomeFiles } from './agentHomeFiles';
import type { HomeFiles } from './homeFiles';
import { createSimulatedHomeFiles } from './simulatedHomeFiles';

/** The files of the homes this engine keeps. */
export function chooseHomeFiles(engine: ComputeEngine, log: FastifyBaseLogger): HomeFiles {
  return isSimulated(engine) ? createSimulatedHomeFiles(engine) : createAgentHomeFiles({ engine, log });
}
