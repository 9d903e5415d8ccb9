import { act, render, screen } from '@testing-library/react';
import { clearCache } from 'ahooks';
import { useCached } from './useCached';

const load = jest.fn<Promise<string>, []>();

function Offer() {
  const { data } = useCached('offer', load);
  return <output>{data ?? 'nothing yet'}</output>;
}

const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));
const focus = () => act(() => void window.dispatchEvent(new Event('focus')));

beforeEach(() => {
  jest.useFakeTimers();
  load.mockReset();
});
afterEach(() => {
  clearCache();
  jest.useRealTimers();
});

describe('useCached', () => {
  it.each([
    ['shows the last answer at once within five minutes', 5 * 60_000 - 1_000, 'old offer'],
    ['shows nothing old after five minutes', 5 * 60_000 + 1_000, 'nothing yet'],
  ])('%s, and asks again', async (_what, awayMs, shown) => {
    load.mockResolvedValueOnce('old offer').mockResolvedValue('new offer');
    const first = render(<Offer />);
    await pass(0);
    first.unmount();
    await pass(awayMs);

    render(<Offer />);

    expect(screen.getByRole('status')).toHaveTextContent(shown);
    await pass(0);
    expect(screen.getByRole('status')).toHaveTextContent('new offer');
  });

  it('asks again when the window gets the focus, at most every five seconds', async () => {
    load.mockResolvedValue('offer');
    render(<Offer />);
    await pass(0);
    await pass(1_000);
    expect(load).toHaveBeenCalledTimes(1);

    focus();
    await pass(0);
    expect(load).toHaveBeenCalledTimes(2);
    await pass(4_900);
    focus();
    await pass(0);
    expect(load).toHaveBeenCalledTimes(2);

    await pass(100);
    focus();
    await pass(0);
    expect(load).toHaveBeenCalledTimes(3);
  });

  it('asks once for all that show the same', async () => {
    load.mockResolvedValue('offer');
    render(
      <>
        <Offer />
        <Offer />
      </>,
    );
    await pass(0);

    expect(load).toHaveBeenCalledTimes(1);
    expect(screen.getAllByText('offer')).toHaveLength(2);
  });
});
