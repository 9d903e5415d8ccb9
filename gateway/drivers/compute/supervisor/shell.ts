/** A shell on a pseudo terminal, wherever that is. */
export interface Shell {
  /** Its holder among this host's processes; null where it is none of them. */
  readonly pid: number | null;
  onData(listener: (chunk: Buffer) => void): void;
  /** Once; null: it was cut off before it could tell. */
  onExit(listener: (exitCode: number | null) => void): void;
  /** Bytes taken at once; 0 when it takes none now. */
  write(chunk: Buffer): number;
  resize(cols: number, rows: number): void;
  pause(): void;
  resume(): void;
}
