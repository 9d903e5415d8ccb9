import { act, screen } from '@testing-library/react';
import { renderFrame } from '@/testing/renderFrame';
import { ConnectionNote } from './ConnectionNote';

function setOnline(isOnline: boolean): void {
  jest.spyOn(window.navigator, 'onLine', 'get').mockReturnValue(isOnline);
  act(() => {
    window.dispatchEvent(new Event(isOnline ? 'online' : 'offline'));
  });
}

/** The place list of the test page is a status, too. */
const note = () => document.querySelector('[role="status"]');

beforeEach(() => jest.useFakeTimers());
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

describe('the connection', () => {
  it.each([
    ['en-US', 'You are offline. What you see may be out of date.', 'You are back online.'],
    ['zh-CN', '您已离线，所见内容可能不是最新。', '网络已恢复。'],
  ])('is spoken of in %s while it is gone, and for a moment when it is back', (language, gone, back) => {
    window.localStorage.setItem('umi_locale', language);
    renderFrame(<ConnectionNote />);
    expect(note()).toBeEmptyDOMElement();
    expect(note()).toHaveAttribute('aria-live', 'polite');

    setOnline(false);
    expect(note()).toHaveTextContent(gone);
    expect(document.documentElement).toHaveAttribute('data-noted');

    setOnline(true);
    expect(note()).toHaveTextContent(back);
    act(() => jest.advanceTimersByTime(5_000));
    expect(note()).toBeEmptyDOMElement();
    expect(document.documentElement).not.toHaveAttribute('data-noted');
  });

  it('that breaks again while it is welcomed back is told at once', () => {
    renderFrame(<ConnectionNote />);

    setOnline(false);
    setOnline(true);
    setOnline(false);
    act(() => jest.advanceTimersByTime(60_000));

    expect(note()).toHaveTextContent('You are offline.');
  });

  it('that was missing from the start is told', () => {
    jest.spyOn(window.navigator, 'onLine', 'get').mockReturnValue(false);

    renderFrame(<ConnectionNote />);

    expect(screen.getByText(/You are offline/)).toBeVisible();
  });
});
