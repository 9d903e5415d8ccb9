import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where a lab finds what only its supervisor writes. */
export const controlFolder = '/run/atelier';
/** How long beyond its lease a lab that nobody watches runs on: long enough that a supervisor at work is always first. */
const slackSeconds = 60;
/** What the guard ends with when the lease is over. */
export const lapsedExitCode = 75;

/**
 * The first program of a lab. It runs as somebody the member is not, so that nobody in the lab can stop or end it, and counts by
 * the lab's own clock: a line of the lease file is good for so many seconds from when it was first read.
 */
export const guardScript = `seen= deadline=0
while :; do
  if read -r line left < ${controlFolder}/lease && read -r up rest < /proc/uptime; then
    up=\${up%%.*}
    if [ "$line" != "$seen" ]; then seen=$line; deadline=$((up + left)); fi
    [ "$up" -ge "$deadline" ] && exit ${lapsedExitCode}
  fi
  sleep 2
done`;

/** Asks everything of the member's to end and waits until it has; runs as the member, who alone may. */
export const askScript = `trap '' TERM HUP
for signal in TERM HUP CONT; do kill -$signal -1; done
while :; do
  busy=0
  for place in /proc/[0-9]*; do [ -O "$place" ] && busy=$((busy + 1)); done
  [ "$busy" -gt 1 ] || exit 0
  sleep 0.1
done`;

/** The folder of one lab that is shown to it read-only. */
export class ControlFolder {
  private line = 0;

  constructor(readonly path: string) {}

  /** Its accounts are its own: nothing of the image's is needed, and the member has a name. */
  write(uid: number, gid: number): void {
    mkdirSync(this.path, { recursive: true });
    chmodSync(this.path, 0o755);
    this.put(
      'passwd',
      `root:x:0:0:root:/root:/bin/sh\nlab:x:${uid}:${gid}:Lab:/home/lab:/bin/bash\nnobody:x:65534:65534:nobody:/:/bin/false\n`,
    );
    this.put('group', `root:x:0:\nlab:x:${gid}:\nnogroup:x:65534:\n`);
  }

  renewLease(leftMs: number): void {
    this.line += 1;
    // Told apart from the lines of an earlier supervisor, which the guard may have read.
    this.put('lease', `${process.pid}.${this.line}.${Date.now()} ${Math.ceil(Math.max(0, leftMs) / 1000) + slackSeconds}\n`);
  }

  erase(): void {
    rmSync(this.path, { recursive: true, force: true });
  }

  private put(name: string, text: string): void {
    const draft = join(this.path, `.${name}`);
    writeFileSync(draft, text);
    chmodSync(draft, 0o644);
    renameSync(draft, join(this.path, name));
  }
}
