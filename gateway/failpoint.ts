import { setTimeout as pause } from 'node:timers/promises';

/** Places between two steps where a crash must lose and double nothing. Tests end the process at each of them; else nothing happens there. */
export const failpointNames = [
  'order.place.written',
  'order.place.committed',
  'order.pay.written',
  'order.pay.submitted',
  'order.pay.noticed',
  'order.pay.applied',
  'order.pay.committed',
  'order.fulfil.granted',
  'order.fulfil.moved',
  'order.refund.withdrawn',
  'order.refund.committed',
  'order.refund.submitted',
  'order.refund.ended',
  'meter.settled',
  'meter.committed',
  'expire.lots',
  'expire.orders',
] as const;

export type FailpointName = (typeof failpointNames)[number];

let armed: FailpointName | null = null;

/** Names the failpoint at which this process is to die. Only a gateway started with NODE_ENV=test can be armed. */
export function armFailpoint(name: FailpointName): void {
  armed = name;
}

/** Ends the process as a power cut would, if it was armed with this name. */
export async function failpoint(name: FailpointName): Promise<void> {
  if (armed !== name) return;
  process.kill(process.pid, 'SIGKILL');
  // The signal arrives between two turns of the loop: nothing after this line may run.
  await pause(60_000);
}
