import { once } from 'node:events';
import type { WebSocket } from 'ws';

const escapeByte = String.fromCharCode(27);
const controlSequence = new RegExp(`${escapeByte}(\\[[0-9;?]*[A-Za-z]|\\][^\\x07]*\\x07)`, 'g');
const PROMPT = /\$ $/;
const LIMIT_MS = 20_000;

/** Somebody at a terminal behind a socket. */
export class SocketTyping {
  private text = '';
  private wake: () => void = () => undefined;

  constructor(private readonly socket: WebSocket) {
    socket.on('message', (frame: Buffer, isBinary) => {
      if (isBinary) this.text += frame.toString();
      this.wake();
    });
  }

  static async atPrompt(socket: WebSocket): Promise<SocketTyping> {
    const typing = new SocketTyping(socket);
    await once(socket, 'open');
    await typing.seen((text) => PROMPT.test(text.replace(controlSequence, '')));
    return typing;
  }

  /** Milliseconds from a key to its echo. */
  async echoMs(key: string): Promise<number> {
    this.text = '';
    const typedMs = performance.now();
    this.socket.send(Buffer.from(key));
    await this.seen((text) => text.includes(key));
    return performance.now() - typedMs;
  }

  /** Empties the line. */
  async clearLine(): Promise<void> {
    this.text = '';
    this.socket.send(Buffer.from('\x15'));
    await this.seen((text) => text.length > 0);
  }

  private async seen(isSeen: (text: string) => boolean): Promise<void> {
    const deadlineMs = performance.now() + LIMIT_MS;
    while (!isSeen(this.text)) {
      const leftMs = deadlineMs - performance.now();
      if (leftMs <= 0) throw new Error(`the terminal printed only ${JSON.stringify(this.text)}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, leftMs);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }
}
