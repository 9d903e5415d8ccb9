import type { LabSpec } from '../computeEngine';
import type { EngineUnderTest } from '../computeEngine.suite';
import { endLab, findLab, startLab } from './labFixtures';
import { TerminalProbe } from './terminalProbe';

const mebibyte = 1024 ** 2;

/** Terminals of one lab, shared by these tests to keep the suite short. */
export function describeTerminals(subject: () => EngineUnderTest): void {
  describe('terminals', () => {
    let spec: LabSpec;

    beforeAll(async () => {
      spec = await startLab(subject().engine);
    });

    afterAll(() => endLab(subject().engine, spec.ref));

    describeShell(subject, () => spec.ref);
    describeAttachments(subject, () => spec.ref);
  });
}

function describeShell(subject: () => EngineUnderTest, ref: () => string): void {
  it('greets with the name of the lab and calculates', async () => {
    const shell = await TerminalProbe.ready(subject().engine, ref());

    expect(shell.text).toMatch(/lab@ws-[0-9a-f]+:~\$ $/);
    expect(await shell.run('echo hello')).toBe('hello\n');
    expect(await shell.run('echo $((6*7))')).toBe('42\n');
    shell.stream.detach();
  });

  it('follows the size of the window', async () => {
    const shell = await TerminalProbe.ready(subject().engine, ref(), 'resized', { cols: 100, rows: 30 });
    expect(await shell.run('stty size')).toBe('30 100\n');

    shell.stream.resize(132, 43);

    // The new size travels beside the typing, so the shell may be asked a moment too early.
    let size = '';
    for (let turn = 0; turn < 50 && size !== '43 132\n'; turn += 1) size = await shell.run('stty size');
    expect(size).toBe('43 132\n');
    shell.stream.detach();
  });

  it('shares processes and files between the terminals of a lab', async () => {
    const { engine } = subject();
    const left = await TerminalProbe.ready(engine, ref(), 'left');
    const right = await TerminalProbe.ready(engine, ref(), 'right');

    await left.run('echo shared > both.txt && echo seen > /tmp/both.txt');
    left.type('sleep 4321\r');
    await left.waitFor(/sleep 4321\n/);

    expect(await right.run('cat both.txt /tmp/both.txt')).toBe('shared\nseen\n');
    let processes = '';
    for (let turn = 0; turn < 50 && !processes.includes('sleep'); turn += 1) processes = await right.run('ps ax');
    expect(processes).toContain('sleep');
    expect(await engine.terminals(ref())).toEqual(expect.arrayContaining(['left', 'right']));
    left.type('\x03');
    await left.waitFor(/\^C/);
    for (const shell of [left, right]) shell.stream.detach();
  });

  it('tells the exit code of the shell, and gives a new shell afterwards', async () => {
    const { engine } = subject();
    const shell = await TerminalProbe.ready(engine, ref(), 'leaving');

    shell.type('exit 3\r');

    expect(await shell.closed).toBe(3);
    expect(await findLab(engine, ref())).toMatchObject({ state: 'running' });
    const again = await TerminalProbe.ready(engine, ref(), 'leaving');
    expect(again.text).not.toContain('exit 3');
    again.stream.detach();
  });
}

function describeAttachments(subject: () => EngineUnderTest, ref: () => string): void {
  it('replays what was printed to whoever attaches again, and the shell lives on meanwhile', async () => {
    const { engine } = subject();
    const first = await TerminalProbe.ready(engine, ref(), 'replayed');
    await first.run('WORD=remembered; echo first attachment');
    first.stream.detach();
    expect(await first.closed).toBeNull();

    const second = await TerminalProbe.open(engine, ref(), 'replayed');

    expect(second.text).toContain('first attachment');
    expect(await second.run('echo $WORD')).toBe('remembered\n');
    expect(await findLab(engine, ref())).toMatchObject({ state: 'running' });
    second.stream.detach();
  });

  it('shows the same terminal to two attachments', async () => {
    const { engine } = subject();
    const first = await TerminalProbe.ready(engine, ref(), 'watched');
    const second = await TerminalProbe.open(engine, ref(), 'watched');

    first.type('echo for both\r');

    await Promise.all([first.waitFor(/\nfor both\n/), second.waitFor(/\nfor both\n/)]);
    for (const shell of [first, second]) shell.stream.detach();
  });

  it('holds an endless output back for a reader that pauses, and keeps its memory flat', async () => {
    const { engine, engineBytes } = subject();
    const shell = await TerminalProbe.ready(engine, ref(), 'endless');

    shell.stream.pause();
    shell.type('yes\r');
    // What lies between is full by then; from there on nothing may grow.
    await new Promise((resolve) => setTimeout(resolve, 700));
    const before = await engineBytes();
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const whilePaused = await engineBytes();
    const receivedWhilePaused = shell.receivedBytes;
    shell.stream.resume();
    await shell.waitFor(/y\ny\ny\n/);
    shell.type('\x03');

    await shell.waitFor(/\^C[\s\S]*\$ $/, 20_000);
    expect(receivedWhilePaused).toBeLessThan(mebibyte);
    expect(whilePaused - before).toBeLessThan(6 * mebibyte);
    shell.stream.detach();
  });
}
