import { act, render, screen } from '@testing-library/react';
import { clockFigures } from './clockFigures';
import { CountDown } from './index';

const MINUTE = 60_000;

describe('clock figures', () => {
  it.each([
    [30 * MINUTE, '30:00'],
    [29 * MINUTE + 4_001, '29:05'],
    [61 * MINUTE + 3_000, '1:01:03'],
    [999, '0:01'],
    [0, '0:00'],
    [-5_000, '0:00'],
  ])('write %d ms as %s', (ms, figures) => {
    expect(clockFigures(ms)).toBe(figures);
  });
});

describe('a count-down', () => {
  beforeEach(() => jest.useFakeTimers({ now: new Date('2026-11-21T08:00:00.000Z') }));
  afterEach(() => jest.useRealTimers());

  it('counts second by second and tells once that the time is over', () => {
    const handleEnd = jest.fn();
    render(<CountDown until="2026-11-21T08:00:03.000Z" onEnd={handleEnd} />);
    expect(screen.getByRole('timer')).toHaveTextContent('0:03');

    act(() => jest.advanceTimersByTime(1_000));
    expect(screen.getByRole('timer')).toHaveTextContent('0:02');
    expect(handleEnd).not.toHaveBeenCalled();

    act(() => jest.advanceTimersByTime(5_000));
    expect(screen.getByRole('timer')).toHaveTextContent('0:00');
    expect(handleEnd).toHaveBeenCalledTimes(1);
  });

  it('does not count in a hidden tab, and is right when it is seen again', () => {
    const setVisibility = (state: DocumentVisibilityState) =>
      act(() => {
        Object.defineProperty(document, 'visibilityState', { configurable: true, value: state });
        document.dispatchEvent(new Event('visibilitychange'));
      });
    render(<CountDown until="2026-11-21T08:10:00.000Z" />);
    setVisibility('hidden');
    act(() => jest.advanceTimersByTime(MINUTE));
    expect(screen.getByRole('timer')).toHaveTextContent('10:00');

    setVisibility('visible');
    expect(screen.getByRole('timer')).toHaveTextContent('9:00');
  });
});
