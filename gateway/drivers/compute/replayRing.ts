/** The last bytes a terminal printed, for whoever attaches next; holds at most `limitBytes`. */
export class ReplayRing {
  private chunks: Uint8Array[] = [];
  private heldBytes = 0;

  constructor(private readonly limitBytes: number) {}

  push(chunk: Uint8Array): void {
    this.chunks.push(chunk);
    this.heldBytes += chunk.length;
    let oldest = this.chunks[0];
    while (oldest && this.heldBytes - oldest.length >= this.limitBytes) {
      this.heldBytes -= oldest.length;
      this.chunks.shift();
      oldest = this.chunks[0];
    }
  }

  read(): Uint8Array {
    const all = Buffer.concat(this.chunks);
    // Re-packed, so that a terminal printing single bytes does not keep a quarter of a million tiny buffers.
    this.chunks = all.length > 0 ? [all] : [];
    this.heldBytes = all.length;
    if (all.length <= this.limitBytes) return all;
    return wholeCharacters(all.subarray(all.length - this.limitBytes));
  }
}

/** Skips the continuation bytes of a character whose head was cut off. */
function wholeCharacters(bytes: Buffer): Buffer {
  let start = 0;
  while (start < 4 && start < bytes.length && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return bytes.subarray(start);
}

/** What a terminal keeps for replay: 256 KB. */
export const replayLimitBytes = 256 * 1024;
