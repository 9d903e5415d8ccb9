import { act, renderHook } from '@testing-library/react';
import { useTerminalTabs } from './terminalTabs';

function openTabs(ids: string[], isShown = true) {
  const { result, rerender } = renderHook((props) => useTerminalTabs(props.ids, props.isShown), {
    initialProps: { ids, isShown },
  });
  const change = (step: (tabs: typeof result.current) => void) => act(() => step(result.current));
  return { now: () => result.current, change, rerender };
}

describe('the tabs of the terminals', () => {
  it('attach what already runs, and open a first one where nothing does', () => {
    expect(openTabs(['a', 'b']).now().tabs).toMatchObject([
      { number: 1, terminalId: 'a' },
      { number: 2, terminalId: 'b' },
    ]);
    expect(openTabs([]).now().tabs).toMatchObject([{ number: 1, terminalId: undefined }]);
  });

  it('open nothing before they are looked at', () => {
    const tabs = openTabs([], false);
    expect(tabs.now().tabs).toEqual([]);

    tabs.rerender({ ids: [], isShown: true });
    expect(tabs.now().tabs).toHaveLength(1);
  });

  it('keep the number of a shell that is left and opened again', () => {
    const tabs = openTabs(['a', 'b', 'c']);
    tabs.change(({ close }) => close(1));
    expect(tabs.now().detached).toEqual([{ terminalId: 'b', number: 2 }]);

    tabs.change(({ add }) => add());
    expect(tabs.now().tabs.map(({ number }) => number)).toEqual([1, 3, 4]);

    tabs.change(({ add, detached }) => add(detached[0]));
    expect(tabs.now().tabs.at(-1)).toMatchObject({ number: 2, terminalId: 'b' });
  });

  it('close one tab without leaving another', () => {
    const tabs = openTabs(['a', 'b', 'c']);
    tabs.change(({ select }) => select(2));
    tabs.change(({ close }) => close(0));
    expect(tabs.now().activeKey).toBe(2);

    tabs.change(({ close }) => close(2));
    expect(tabs.now().activeKey).toBe(1);
  });

  it('do not count a tab whose shell has ended', () => {
    const tabs = openTabs(['a', 'b']);
    tabs.change(({ end }) => end('a'));

    expect(tabs.now().openCount).toBe(1);
    expect(tabs.now().tabs).toHaveLength(2);
  });
});
