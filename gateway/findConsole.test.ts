import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, parse } from 'node:path';
import { findConsole } from './findConsole';

describe('the built console', () => {
  let root: string;
  let deep: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'atelier-console-'));
    deep = join(root, 'build', 'gateway');
    await mkdir(deep, { recursive: true });
    await mkdir(join(root, 'dist'));
    await writeFile(join(root, 'dist', 'index.html'), '');
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  it('is the one of the project around the program', async () => {
    await writeFile(join(root, 'package.json'), '{}');

    expect(findConsole(deep)).toBe(join(root, 'dist'));
  });

  it('is none where nothing was built', async () => {
    await writeFile(join(root, 'package.json'), '{}');
    await rm(join(root, 'dist', 'index.html'));

    expect(findConsole(deep)).toBeNull();
  });

  it('is none outside a project, instead of looking for ever', () => {
    expect(findConsole(deep)).toBeNull();
    expect(findConsole(parse(root).root)).toBeNull();
  });
});
