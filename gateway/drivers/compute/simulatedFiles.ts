const root = '/home/lab';

/** A file in memory; its number grows with every write to any file. */
export interface SimulatedFile {
  bytes: Buffer;
  changedAtMs: number;
  changeNumber: number;
}

/** A lab's home kept in memory: absolute paths to files, `null` for a folder. */
export class SimulatedFiles {
  private readonly entries = new Map<string, SimulatedFile | null>([[root, null]]);
  private changes = 0;

  constructor(private readonly nowMs: () => number = () => 0) {}

  static readonly home = root;

  /** The absolute path `path` means from `cwd`, with `.`, `..` and `~` resolved. */
  resolve(cwd: string, path: string): string {
    const full = path === '~' || path.startsWith('~/') ? root + path.slice(1) : path.startsWith('/') ? path : `${cwd}/${path}`;
    const kept: string[] = [];
    for (const part of full.split('/')) {
      if (part === '..') kept.pop();
      else if (part !== '' && part !== '.') kept.push(part);
    }
    return `/${kept.join('/')}`;
  }

  isFolder(path: string): boolean {
    return this.entries.get(path) === null || path === '/' || path === '/home' || path === '/tmp';
  }

  has(path: string): boolean {
    return this.entries.has(path) || this.isFolder(path);
  }

  read(path: string): string | undefined {
    return this.file(path)?.bytes.toString();
  }

  file(path: string): SimulatedFile | undefined {
    return this.entries.get(path) ?? undefined;
  }

  /** False when the folder is missing, is not writable, or the path is a folder. */
  write(path: string, content: string, mode: 'replace' | 'append'): boolean {
    const before = mode === 'append' ? [this.file(path)?.bytes ?? Buffer.alloc(0)] : [];
    return this.writeBytes(path, Buffer.concat([...before, Buffer.from(content)]));
  }

  /** As `write`. */
  writeBytes(path: string, bytes: Buffer): boolean {
    const folder = path.slice(0, path.lastIndexOf('/')) || '/';
    const isInside = folder === root || folder.startsWith(`${root}/`) || folder === '/tmp';
    if (!isInside || !this.isFolder(folder) || this.isFolder(path)) return false;
    this.changes += 1;
    this.entries.set(path, { bytes, changedAtMs: this.nowMs(), changeNumber: this.changes });
    return true;
  }

  makeFolder(path: string): boolean {
    const folder = path.slice(0, path.lastIndexOf('/')) || '/';
    if (this.has(path) || !this.isFolder(folder) || folder === '/' || folder === '/home') return false;
    this.entries.set(path, null);
    return true;
  }

  delete(path: string, isRecursive: boolean): boolean {
    if (!this.entries.has(path) || path === root || (this.isFolder(path) && !isRecursive)) return false;
    for (const entry of this.entries.keys()) if (entry === path || entry.startsWith(`${path}/`)) this.entries.delete(entry);
    return true;
  }

  /** Everything at and below `from` is under `to` from now on. */
  move(from: string, to: string): void {
    for (const [path, entry] of [...this.entries]) {
      if (path !== from && !path.startsWith(`${from}/`)) continue;
      this.entries.delete(path);
      this.entries.set(to + path.slice(from.length), entry);
    }
  }

  list(folder: string): string[] {
    const prefix = folder === '/' ? '/' : `${folder}/`;
    const fixed = folder === '/' ? ['home', 'tmp'] : folder === '/home' ? ['lab'] : [];
    const found = [...this.entries.keys()].filter((path) => path.startsWith(prefix) && path !== folder);
    return [...new Set([...fixed, ...found.map((path) => path.slice(prefix.length).split('/')[0] ?? '')])].sort();
  }

  sizeBytes(): number {
    let total = 0;
    for (const file of this.entries.values()) total += file === null ? 4096 : file.bytes.length;
    return total;
  }
}
