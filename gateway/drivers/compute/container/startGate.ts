/** Lets a few in at a time, in the order they came, and tells those who wait how many are before them. */
export class StartGate {
  private readonly waiting: { enter(): void; tell(before: number): void }[] = [];

  constructor(private free: number) {}

  /** Resolves to the way out. Rejects when `signal` is aborted first. */
  async enter(signal: AbortSignal, tell: (before: number) => void): Promise<() => void> {
    if (this.free > 0) {
      this.free -= 1;
    } else {
      await new Promise<void>((resolve, reject) => {
        const giveUp = () => {
          this.waiting.splice(this.waiting.indexOf(place), 1);
          this.tellAll();
          reject(new Error('the start was called off'));
        };
        const enter = () => {
          signal.removeEventListener('abort', giveUp);
          resolve();
        };
        const place = { enter, tell };
        if (signal.aborted) {
          reject(new Error('the start was called off'));
          return;
        }
        signal.addEventListener('abort', giveUp, { once: true });
        this.waiting.push(place);
        this.tellAll();
      });
    }
    let isOut = false;
    return () => {
      if (isOut) return;
      isOut = true;
      const next = this.waiting.shift();
      if (next) next.enter();
      else this.free += 1;
      this.tellAll();
    };
  }

  private tellAll(): void {
    for (const [before, place] of this.waiting.entries()) place.tell(before + 1);
  }
}
