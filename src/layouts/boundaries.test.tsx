import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createHistory, history, Link, useLocation } from '@umijs/max';
import { Suspense } from 'react';
import PageLoading from '@/loading';
import { renderFrame } from '@/testing/renderFrame';
import { CrashBoundary, FrameBoundary, PartBoundary } from './CrashBoundary';

const crash = new Error('a bug');
/** As webpack makes them. */
const scriptError = (type: string) => Object.assign(new Error('Loading chunk 7 failed.'), { name: 'ChunkLoadError', type });
const styleError = Object.assign(new Error('Loading CSS chunk 7 failed.'), { code: 'CSS_CHUNK_LOAD_FAILED', type: 'error' });

function Failing({ error }: { error: Error }): never {
  throw error;
}
function FailingAt({ path }: { path: string }) {
  const { pathname } = useLocation();
  if (pathname === path) throw crash;
  return <p>{`at ${pathname}`}</p>;
}
function Frame({ state }: { state: { isBroken: boolean } }) {
  if (state.isBroken) throw crash;
  return <p>Whole again</p>;
}
function Waiting(): never {
  throw new Promise(() => undefined);
}

beforeAll(() => createHistory({ type: 'memory' }));
beforeEach(() => {
  window.sessionStorage.clear();
  // React reports what a boundary caught.
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

describe('a page that failed', () => {
  it.each([
    ['timeout', scriptError('timeout'), /timed out/],
    ['missing', scriptError('missing'), /is missing/],
    ['error', scriptError('error'), /error stopped it/],
    ['error', styleError, /error stopped it/],
    ['crash', crash, /our fault/],
  ])('says that it was %s, and keeps what stands around it', async (type, error, words) => {
    renderFrame(
      <>
        <p>The frame</p>
        <CrashBoundary>
          <Failing error={error} />
        </CrashBoundary>
      </>,
    );

    expect(screen.getByRole('alert')).toHaveAttribute('data-failure', type);
    expect(screen.getByText(words)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Reload the page' })).toBeVisible();
    expect(screen.getByText('The frame')).toBeVisible();
  });

  it('says so in Chinese', () => {
    window.localStorage.setItem('umi_locale', 'zh-CN');
    renderFrame(
      <CrashBoundary>
        <Failing error={scriptError('timeout')} />
      </CrashBoundary>,
    );

    expect(screen.getByText(/加载超时/)).toBeVisible();
    expect(screen.getByRole('button', { name: '刷新页面' })).toBeVisible();
  });

  it('does not advise what has just been tried as if it were new', () => {
    window.sessionStorage.setItem('reloadedAt', String(Date.now() - 5_000));
    renderFrame(
      <CrashBoundary>
        <Failing error={scriptError('error')} />
      </CrashBoundary>,
    );

    expect(screen.getByText(/You have just reloaded/)).toBeVisible();
  });

  it('leaves other pages whole', async () => {
    renderFrame(
      <>
        <Link to="/other">The other page</Link>
        <CrashBoundary>
          <FailingAt path="/broken" />
        </CrashBoundary>
      </>,
      '/broken',
    );
    expect(screen.getByRole('alert')).toBeVisible();

    await userEvent.click(screen.getByRole('link', { name: 'The other page' }));

    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
    expect(screen.getByText('at /other')).toBeVisible();
  });

  it('that a style holds up says after two minutes that it timed out', () => {
    jest.useFakeTimers();
    renderFrame(
      <CrashBoundary>
        <Suspense fallback={<PageLoading />}>
          <Waiting />
        </Suspense>
      </CrashBoundary>,
    );

    act(() => jest.advanceTimersByTime(119_999));
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
    act(() => jest.advanceTimersByTime(1));

    expect(screen.getByRole('alert')).toHaveAttribute('data-failure', 'timeout');
  });
});

describe('a frame that failed', () => {
  it('leaves a page of its own with the way on, and another page is tried anew', async () => {
    const frame = { isBroken: true };
    renderFrame(
      <FrameBoundary>
        <Frame state={frame} />
      </FrameBoundary>,
    );

    expect(screen.getByRole('main')).toContainElement(screen.getByRole('alert'));
    frame.isBroken = false;
    act(() => history.push('/terms'));

    expect(screen.getByText('Whole again')).toBeVisible();
  });

  it('in a part goes on without the part', async () => {
    renderFrame(
      <>
        <PartBoundary>
          <Failing error={scriptError('error')} />
        </PartBoundary>
        <p>The page</p>
      </>,
    );

    expect(screen.getByText('The page')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Reload the page' })).toBeVisible();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });
});
