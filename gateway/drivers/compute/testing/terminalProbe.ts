import type { ComputeEngine, TerminalStream } from '../computeEngine';

const escapeByte = String.fromCharCode(27);
const controlSequence = new RegExp(`${escapeByte}(\\[[0-9;?]*[A-Za-z]|\\][^\\x07]*\\x07)`, 'g');
const prompt = /lab@[\w-]+:[^\n]*\$ $/;

/** A member at a terminal: types, and waits for what is printed rather than for time to pass. */
export class TerminalProbe {
  readonly closed: Promise<number | null>;
  /** Bytes received, counted apart from the text, which keeps only its tail. */
  receivedBytes = 0;
  private raw: string;
  private waiting: (() => void)[] = [];

  private constructor(readonly stream: TerminalStream) {
    this.raw = Buffer.from(stream.replay).toString('utf8');
    stream.onData((chunk) => {
      this.receivedBytes += chunk.length;
      this.raw = (this.raw + Buffer.from(chunk).toString('utf8')).slice(-1_000_000);
      for (const wake of this.waiting.splice(0)) wake();
    });
    this.closed = new Promise((resolve) => stream.onClose(resolve));
  }

  static async open(
    engine: ComputeEngine,
    ref: string,
    terminalId = 'main',
    size = { cols: 200, rows: 24 },
  ): Promise<TerminalProbe> {
    return new TerminalProbe(await engine.openTerminal(ref, { terminalId, ...size }));
  }

  /** Opens and waits for the shell's first prompt. */
  static async ready(
    engine: ComputeEngine,
    ref: string,
    terminalId = 'main',
    size = { cols: 200, rows: 24 },
  ): Promise<TerminalProbe> {
    const probe = await TerminalProbe.open(engine, ref, terminalId, size);
    await probe.waitFor(prompt);
    return probe;
  }

  get text(): string {
    return this.raw.replace(controlSequence, '').replace(/\r/g, '');
  }

  type(text: string): void {
    this.stream.write(Buffer.from(text));
  }

  /** Types a command and resolves with everything up to the next prompt, without the echoed command. */
  async run(command: string, timeoutMs = 10_000): Promise<string> {
    this.raw = '';
    this.type(`${command}\r`);
    await this.waitFor(prompt, timeoutMs);
    return this.text.slice(this.text.indexOf('\n') + 1).replace(prompt, '');
  }

  async waitFor(pattern: RegExp, timeoutMs = 10_000): Promise<string> {
    const deadlineMs = performance.now() + timeoutMs;
    while (!pattern.test(this.text)) {
      const leftMs = deadlineMs - performance.now();
      if (leftMs <= 0)
        throw new Error(`the terminal did not print ${pattern}; it printed ${JSON.stringify(this.text.slice(-500))}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, leftMs);
        this.waiting.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
    return this.text;
  }
}
