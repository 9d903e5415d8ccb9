import type { EngineCapabilities, LabSample, LabSpec } from '../computeEngine';
import type { Homes } from './homes';
import type { Lab, LabPlace } from './lab';

/** What keeps the labs of a supervisor: this machine's processes, or the containers of its daemon. */
export interface LabHost {
  readonly homes: Homes;
  /** Somebody else limits memory and counts what was killed for want of it. */
  readonly countsKills: boolean;
  capabilities(): EngineCapabilities;
  health(): { isHealthy: boolean; detail: string };
  missingCommands(commands: readonly string[]): string[];
  /** Throws `EngineRefused` for a lab that cannot be had now. */
  check(spec: LabSpec, isUnsandboxedAllowed: boolean): void;
  /** Makes the lab's place; what it took for one that fails it gives back. Throws. */
  start(lab: Lab): Promise<LabPlace>;
  /** The place of a lab an earlier supervisor left that still is there and within its lease; whatever else is left of it ends here. */
  adopt(lab: Lab): Promise<LabPlace | null>;
  /** Ends whatever of ours is there beside these labs. */
  sweep(living: ReadonlySet<string>): Promise<void>;
  /** Resolves once every living lab was seen, or its end begun. Rejects while nobody can tell. */
  see(labs: readonly Lab[]): Promise<void>;
  sample(labs: readonly Lab[]): Promise<LabSample[]>;
  /** The place of a lab that ended. */
  release(place: LabPlace): void;
  /** Nobody will ask for the lab again. */
  forget(ref: string): Promise<void>;
  close(): void;
}

/** The image could not be had; the detail is for the operator. */
export class ImageUnavailable extends Error {
  override readonly name = 'ImageUnavailable';
}
