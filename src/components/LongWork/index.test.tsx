import { act, screen } from '@testing-library/react';
import type { ReactElement } from 'react';
import { renderPage } from '@/testing/renderPage';
import { LongWork } from './index';

const began = '2026-11-21T08:00:00.000Z';

async function show(work: ReactElement) {
  renderPage(work);
  await act(() => jest.advanceTimersByTimeAsync(0));
}

beforeEach(() => jest.useFakeTimers({ now: new Date('2026-11-21T08:01:05.000Z') }));
afterEach(() => jest.useRealTimers());

describe('long work', () => {
  it('says how far it is, in whole percent that only the finished fills', async () => {
    await show(<LongWork title="Uploading faces.zip" words="Part 3 of 7" done={0.4299} />);

    const bar = screen.getByRole('progressbar', { name: 'Uploading faces.zip' });
    expect(bar).toHaveAttribute('aria-valuenow', '42');
    expect(screen.getByText('42%')).toBeInTheDocument();
    expect(screen.getByText('Part 3 of 7')).toHaveAttribute('role', 'status');
  });

  it('names no figure while nobody can tell how far it is', async () => {
    await show(<LongWork title="Getting your lab ready" words="It waits for a place." />);

    const bar = screen.getByRole('progressbar', { name: 'Getting your lab ready' });
    expect(bar).not.toHaveAttribute('aria-valuenow');
    expect(bar).toHaveAttribute('aria-valuetext', 'It waits for a place.');
    expect(screen.queryByText(/%/)).not.toBeInTheDocument();
  });

  it('counts from when it began, not from when it was looked at, and says that it goes on alone', async () => {
    await show(<LongWork title="Saving the image" words="Packing" since={began} />);
    expect(screen.getByText('1 min 5 sec so far')).toBeInTheDocument();
    expect(screen.getByText('You can leave this page: it goes on without you.')).toBeInTheDocument();

    act(() => jest.advanceTimersByTime(2_000));

    expect(screen.getByText('1 min 7 sec so far')).toBeInTheDocument();
  });

  it('never counts backwards on a clock that is slow', async () => {
    await show(<LongWork title="Saving the image" words="Packing" since="2026-11-21T08:05:00.000Z" />);

    expect(screen.getByText('0 sec so far')).toBeInTheDocument();
  });
});
