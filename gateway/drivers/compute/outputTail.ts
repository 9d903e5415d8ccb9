import { ReplayRing, replayLimitBytes } from './replayRing';

/** The terminal that is read first. */
const mainTerminal = 'main';
const keptTerminals = 16;

/** What a lab printed in each of its terminals, those that are gone included; for whoever asks afterwards. */
export class OutputTail {
  private readonly rings = new Map<string, ReplayRing>();

  push(terminalId: string, chunk: Uint8Array): void {
    let ring = this.rings.get(terminalId);
    if (!ring) {
      this.dropOne();
      ring = new ReplayRing(replayLimitBytes);
      this.rings.set(terminalId, ring);
    }
    ring.push(chunk);
  }

  /** At most `tailBytes`, the main terminal first; what room it leaves goes to the others in the order they were opened. */
  read(tailBytes: number): Uint8Array {
    const names = [...this.rings.keys()].sort((left, right) => Number(right === mainTerminal) - Number(left === mainTerminal));
    let leftBytes = Math.max(0, Math.floor(tailBytes));
    const parts: Uint8Array[] = [];
    for (const name of names) {
      const printed = this.rings.get(name)?.read() ?? new Uint8Array();
      const part = printed.subarray(Math.max(0, printed.length - leftBytes));
      leftBytes -= part.length;
      parts.push(part);
    }
    return Buffer.concat(parts);
  }

  /** Terminals are named by whoever opens them; the oldest makes room, the main one last of all. */
  private dropOne(): void {
    if (this.rings.size < keptTerminals) return;
    const oldest = [...this.rings.keys()].find((name) => name !== mainTerminal);
    if (oldest !== undefined) this.rings.delete(oldest);
  }
}
