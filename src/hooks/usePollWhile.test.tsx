import { act, render } from '@testing-library/react';
import { useRequest } from 'ahooks';
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

  it('stands still after an error and goes on after a retry', async () => {
    ask.mockResolvedValueOnce({ isMoving: true }).mockRejectedValueOnce(new Error('down')).mockResolvedValue({ isMoving: true });
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
