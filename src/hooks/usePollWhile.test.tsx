import { act, render } from '@testing-library/react';
import { useRequest } from 'ahooks';
import { CallError, TRANSPORT_FAILURE } from '@/utils/callError';
import { usePollWhile } from './usePollWhile';

const ask = jest.fn<Promise<{ isMoving: boolean }>, []>();
let retry: () => void = () => undefined;

function Poller() {
  const request = useRequest(ask, { onError: () => undefined });
  usePollWhile(request, ({ isMoving }) => isMoving);
  retry = request.refresh;
  return null;
}

function setVisible(state: 'visible' | 'hidden') {
  Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
}
const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));

beforeEach(() => {
  jest.useFakeTimers();
  ask.mockReset();
});
afterEach(() => {
  act(() => setVisible('visible'));
  jest.useRealTimers();
});

describe('usePollWhile', () => {
  it('asks every two seconds while something is under way and every fifteen afterwards', async () => {
    ask.mockResolvedValueOnce({ isMoving: true }).mockResolvedValueOnce({ isMoving: true }).mockResolvedValue({ isMoving: false });
    render(<Poller />);
    await pass(0);
    expect(ask).toHaveBeenCalledTimes(1);

    await pass(2_000);
    expect(ask).toHaveBeenCalledTimes(2);
    await pass(2_000);
    expect(ask).toHaveBeenCalledTimes(3);

    await pass(14_900);
    expect(ask).toHaveBeenCalledTimes(3);
    await pass(100);
    expect(ask).toHaveBeenCalledTimes(4);
  });

  it('asks nothing while the tab is hidden, and at once when it is shown again overdue', async () => {
    ask.mockResolvedValue({ isMoving: true });
    render(<Poller />);
    await pass(0);

    act(() => setVisible('hidden'));
    await pass(60_000);
    expect(ask).toHaveBeenCalledTimes(1);

    act(() => setVisible('visible'));
    await pass(0);
    expect(ask).toHaveBeenCalledTimes(2);
  });

  it('stands still after a refusal and goes on after a retry', async () => {
    ask
      .mockResolvedValueOnce({ isMoving: true })
      .mockRejectedValueOnce(new CallError(20004, 'no', null, '', 404))
      .mockResolvedValue({ isMoving: true });
    render(<Poller />);
    await pass(0);
    await pass(2_000);
    expect(ask).toHaveBeenCalledTimes(2);

    await pass(120_000);
    expect(ask).toHaveBeenCalledTimes(2);

    await act(async () => retry());
    await pass(2_000);
    expect(ask).toHaveBeenCalledTimes(4);
  });

  it.each([
    ['an unreachable gateway', new CallError(TRANSPORT_FAILURE, 'down')],
    ['a failing one', new CallError(50003, 'down', null, '', 503)],
  ])('comes back by itself from %s, at growing distance', async (_what, failure) => {
    ask.mockImplementation(async () => {
      throw new CallError(failure.code, failure.msg, null, '', failure.status);
    });
    render(<Poller />);
    await pass(0);
    for (const [index, waitMs] of [5_000, 10_000, 20_000, 40_000, 60_000, 60_000].entries()) {
      await pass(waitMs - 100);
      expect(ask).toHaveBeenCalledTimes(index + 1);
      await pass(100);
      expect(ask).toHaveBeenCalledTimes(index + 2);
    }

    ask.mockResolvedValue({ isMoving: true });
    await pass(60_000);
    const answered = ask.mock.calls.length;
    await pass(2_000);
    expect(ask).toHaveBeenCalledTimes(answered + 1);
  });

  it('asks at once when the network is back, though nothing failed meanwhile', async () => {
    ask.mockResolvedValue({ isMoving: false });
    render(<Poller />);
    await pass(0);

    act(() => void window.dispatchEvent(new Event('online')));
    await pass(0);

    expect(ask).toHaveBeenCalledTimes(2);
  });

  it.each([
    ['the network', () => void act(() => void window.dispatchEvent(new Event('online')))],
    [
      'the tab',
      () => {
        act(() => setVisible('hidden'));
        act(() => setVisible('visible'));
      },
    ],
  ])('asks once after an error when %s comes back', async (_what, comeBack) => {
    ask.mockRejectedValue(new CallError(20004, 'no', null, '', 404));
    render(<Poller />);
    await pass(0);
    expect(ask).toHaveBeenCalledTimes(1);

    comeBack();
    await pass(0);
    await pass(60_000);
    expect(ask).toHaveBeenCalledTimes(2);
  });

  it('counts the pause from the answer, so that a slow gateway is not asked twice at once', async () => {
    ask.mockImplementation(() => new Promise((resolve) => setTimeout(() => resolve({ isMoving: true }), 5_000)));
    render(<Poller />);

    await pass(5_000);
    await pass(1_900);
    expect(ask).toHaveBeenCalledTimes(1);
    await pass(100);
    expect(ask).toHaveBeenCalledTimes(2);
  });
});
