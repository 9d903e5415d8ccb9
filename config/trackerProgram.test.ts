import { execFileSync } from 'node:child_process';
import { brotliCompressSync } from 'node:zlib';

/** esbuild refuses jsdom's idea of bytes, so it runs where the build runs it. */
const BUILD = "require('./config/trackerProgram').buildTracker(process.cwd()).then((text) => process.stdout.write(text))";

describe('the tracker’s program as it is built', () => {
  const program = execFileSync(process.execPath, ['-r', 'esbuild-register', '-e', BUILD], { encoding: 'utf8' });
  /** Runs it as the page's script element would. */
  const run = () => {
    const script = document.createElement('script');
    script.textContent = program;
    document.head.append(script);
  };

  afterEach(() => {
    delete window.atelierTracker;
  });

  it('weighs 3 KB at most as it travels', () => {
    expect(program.length).toBeGreaterThan(1_000);
    expect(brotliCompressSync(program).length).toBeLessThanOrEqual(3_072);
  });

  it('needs nothing that the page’s policy forbids, and asks no other host', () => {
    expect(program).not.toMatch(/\beval\b|new Function|https?:|<script|\.src\b/);
  });

  it('does nothing on a page that did not ask for it', () => {
    const before = Object.keys(window);
    run();

    expect(Object.keys(window)).toEqual(before);
  });

  it('takes the settings and the pages the console has for it', () => {
    const onTime = jest.spyOn(window, 'setTimeout');
    window.atelierTracker = {
      settings: { batchSize: 10, flushMs: 60_000, beacon: true, pageViews: true, clicks: true, errors: true, performance: false },
      origin: {},
      opened: ['/login'],
    };
    run();

    expect(window.atelierTracker.opened).toEqual([]);
    expect(window.atelierTracker.onOpen).toEqual(expect.any(Function));
    expect(onTime.mock.calls.map(([, ms]) => ms)).toEqual([60_000]);
    jest.restoreAllMocks();
  });
});
