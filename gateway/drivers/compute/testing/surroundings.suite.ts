import { chmodSync, lstatSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EngineRefused } from '../computeEngine';
import type { Claims, EngineUnderTest } from '../computeEngine.suite';
import { buildLabSpec, endLab, startLab } from './labFixtures';
import { TerminalProbe } from './terminalProbe';

/** What a lab is given beside its limits, and what is kept of it. */
export function describeSurroundings(subject: () => EngineUnderTest, claims: Claims): void {
  describe('surroundings', () => {
    describeFolders(subject, claims);
    describeVariables(subject);
    describeOutput(subject);
    describeHomes(subject);
  });
}

function describeFolders(subject: () => EngineUnderTest, { isolation }: Claims): void {
  if (isolation === 'none') {
    it('shows no folders read-only to labs that are not isolated, and says so', async () => {
      const { engine, homes } = subject();
      if (homes === null) return expect(await engine.homeOf('workshop-1')).toBeNull();
      const mounts = [{ source: tmpdir(), target: '/datasets/iris' }];
      await expect(engine.ensureStarted(buildLabSpec({ mounts }))).rejects.toMatchObject({ reason: 'unsandboxed' });
    });
    return;
  }

  it('shows folders of the host, to be read and never written', async () => {
    const { engine } = subject();
    const folder = makeFolders();
    const mounts = [
      { source: join(folder, 'it’s a set'), target: '/datasets/iris' },
      { source: join(folder, 'knowledge'), target: '/home/lab/knowledge' },
    ];
    const spec = await startLab(engine, { mounts });
    const shell = await TerminalProbe.ready(engine, spec.ref);

    expect(await shell.run('cat /datasets/iris/data.csv knowledge/note.md')).toBe('1,2,3\nknown\n');
    expect(await shell.run('echo x > /datasets/iris/data.csv; touch knowledge/new; rm -f /datasets/iris/data.csv')).toMatch(
      /(Read-only file system[\s\S]*){3}/,
    );
    expect(await shell.run('mount -o remount,rw,bind /datasets/iris; touch /datasets/iris/y 2>&1 | grep -c Read-only')).toContain(
      '1\n',
    );
    await endLab(engine, spec.ref);
    rmSync(folder, { recursive: true });
  });

  it('keeps what a member put where a folder is to be shown', async () => {
    const { engine } = subject();
    const folder = makeFolders();
    const first = await startLab(engine);
    await (await TerminalProbe.ready(engine, first.ref)).run('ln -s /etc knowledge');
    await endLab(engine, first.ref);

    const mounts = [{ source: join(folder, 'knowledge'), target: '/home/lab/knowledge' }];
    const second = await startLab(engine, { workshopId: first.workshopId, mounts });

    const shell = await TerminalProbe.ready(engine, second.ref);
    expect(await shell.run('cat knowledge/note.md; readlink knowledge.kept-*')).toBe('known\n/etc\n');
    await endLab(engine, second.ref);
    rmSync(folder, { recursive: true });
  });

  it.each([
    [[{ source: 'relative', target: '/datasets/iris' }]],
    [[{ source: '/tmp/../etc', target: '/datasets/iris' }]],
    [[{ source: '/tmp/a,readonly=false', target: '/datasets/iris' }]],
    [[{ source: '/tmp', target: '/etc' }]],
    [[{ source: '/tmp', target: '/datasets/../etc' }]],
    [
      [
        { source: '/tmp', target: '/datasets/iris' },
        { source: '/usr', target: '/datasets/iris' },
      ],
    ],
  ])('refuses to show %j', async (mounts) => {
    await expect(subject().engine.ensureStarted(buildLabSpec({ mounts }))).rejects.toThrow(EngineRefused);
  });
}

function makeFolders(): string {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-shown-'));
  chmodSync(folder, 0o755);
  for (const [name, file, text] of [
    ['it’s a set', 'data.csv', '1,2,3\n'],
    ['knowledge', 'note.md', 'known\n'],
  ] as const) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, file), text);
  }
  return folder;
}

function describeVariables(subject: () => EngineUnderTest): void {
  it('gives its shells the variables it was told, as they were told, and keeps its own', async () => {
    const { engine, homes } = subject();
    const env = { COURSE: `it's "quoted" $HOME`, HOME: '/elsewhere', PATH: '/elsewhere' };
    const spec = await startLab(engine, { env });
    const shell = await TerminalProbe.ready(engine, spec.ref);

    if (homes !== null) {
      expect(await shell.run('echo "$COURSE"')).toBe(`it's "quoted" $HOME\n`);
      expect(await shell.run('echo $PATH $HOME')).not.toContain('/elsewhere');
    }
    await endLab(engine, spec.ref);
  });
}

function describeOutput(subject: () => EngineUnderTest): void {
  it('tells the tail of what a lab printed, the main terminal first, until the lab is forgotten', async () => {
    const { engine } = subject();
    const spec = await startLab(engine);
    const beside = await TerminalProbe.ready(engine, spec.ref, 'beside');
    const main = await TerminalProbe.ready(engine, spec.ref);
    await beside.run('echo second');
    await main.run('echo first');
    main.type('exit\r');
    await main.closed;
    const tailOf = async (tailBytes: number) => Buffer.from(await engine.output(spec.ref, { tailBytes })).toString();

    const whole = await tailOf(100_000);
    expect(whole).toMatch(/first[\s\S]*exit[\s\S]*second/);
    const short = await tailOf(10);
    expect(Buffer.byteLength(short)).toBeLessThanOrEqual(10);
    expect(short).toContain('exit');

    await endLab(engine, spec.ref);
    expect(await tailOf(100_000)).toContain('second');
    await engine.forget(spec.ref);
    expect(await tailOf(100_000)).toBe('');
  });
}

function describeHomes(subject: () => EngineUnderTest): void {
  it('knows where the home of a workshop lies, and whose it is', async () => {
    const { engine, homes } = subject();
    const spec = buildLabSpec();
    expect(await engine.homeOf(spec.workshopId)).toBeNull();

    await startLab(engine, spec);

    const place = await engine.homeOf(spec.workshopId);
    if (homes === null) {
      expect(place).toBeNull();
    } else {
      await (await TerminalProbe.ready(engine, spec.ref)).run('echo mine > mine.txt');
      const { uid, gid } = lstatSync(join(homes, spec.workshopId, 'mine.txt'));
      expect(place).toEqual({ directory: join(homes, spec.workshopId), uid, gid });
      await expect(engine.homeOf('../homes')).rejects.toThrow(EngineRefused);
    }
    await endLab(engine, spec.ref);
  });
}
