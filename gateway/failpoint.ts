import { setTimeout as pause } from 'node:timers/promises';

/** Places between two steps where a crash must lose and double nothing. Tests end the process at each of them; else nothing happens there. */
export type FailpointName =
  | `order.place.${'written' | 'committed'}`
  | `order.pay.${'written' | 'submitted' | 'noticed' | 'applied' | 'committed'}`
  | `order.fulfil.${'granted' | 'moved'}`
  | `order.refund.${'withdrawn' | 'committed' | 'submitted' | 'ended'}`
  | `meter.${'settled' | 'committed'}`
  | `expire.${'lots' | 'orders'}`;

let armed: string | null = null;

/** Names the failpoint at which this process is to die. Only a gateway started with NODE_ENV=test can be armed. */
export function armFailpoint(name: string): void {
  armed = name;
}

/** Ends the process as a power cut would, if it was armed with this name. */
export async function failpoint(name: FailpointName): Promise<void> {
  if (armed !== name) return;
  process.kill(process.pid, 'SIGKILL');
  // The signal arrives between two turns of the loop: nothing after this line may run.
  await pause(60_000);
}
