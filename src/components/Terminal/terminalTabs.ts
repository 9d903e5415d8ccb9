import { useEffect, useRef, useState } from 'react';

export interface TerminalTab {
  key: number;
  number: number;
  terminalId: string | undefined;
}

/** The lowest number no tab carries yet. */
export function freeNumber(tabs: readonly TerminalTab[]): number {
  const taken = new Set(tabs.map((tab) => tab.number));
  let number = 1;
  while (taken.has(number)) number += 1;
  return number;
}

/**
 * The terminals on the page: those that already ran are attached again, a new one is opened where none ran. Closing a tab
 * detaches; the shell stays among `detached` until it ends.
 */
export function useTerminalTabs(runningIds: readonly string[], isShown: boolean) {
  const nextKey = useRef(0);
  const tabOf = (number: number, terminalId?: string): TerminalTab => ({ key: nextKey.current++, number, terminalId });
  const [tabs, setTabs] = useState<TerminalTab[]>([]);
  const [activeKey, setActiveKey] = useState(0);
  const [endedIds, setEndedIds] = useState<readonly string[]>([]);
  const hasBegun = useRef(false);

  const show = (tab: TerminalTab, all: TerminalTab[]) => {
    setTabs(all);
    setActiveKey(tab.key);
  };
  const add = (terminalId?: string) => {
    const tab = tabOf(freeNumber(tabs), terminalId);
    show(tab, [...tabs, tab]);
  };

  // Connecting begins when the terminals are first looked at, not when another tab of the page is.
  useEffect(() => {
    if (hasBegun.current || !isShown) return;
    hasBegun.current = true;
    const first = runningIds.length > 0 ? runningIds.map((id, index) => tabOf(index + 1, id)) : [tabOf(1)];
    setTabs(first);
    setActiveKey(first[0]?.key ?? 0);
  });

  return {
    tabs,
    activeKey,
    detachedIds: runningIds.filter((id) => !endedIds.includes(id) && tabs.every((tab) => tab.terminalId !== id)),
    select: setActiveKey,
    add,
    close: (key: number) => {
      const index = tabs.findIndex((tab) => tab.key === key);
      const rest = tabs.filter((tab) => tab.key !== key);
      setTabs(rest);
      if (key === activeKey) setActiveKey(rest[Math.max(0, index - 1)]?.key ?? -1);
    },
    restart: (key: number, terminalId?: string) => {
      const old = tabs.find((tab) => tab.key === key);
      const fresh = tabOf(old?.number ?? 1, terminalId);
      show(
        fresh,
        tabs.map((tab) => (tab.key === key ? fresh : tab)),
      );
    },
    name: (key: number, terminalId: string) => setTabs((all) => all.map((tab) => (tab.key === key ? { ...tab, terminalId } : tab))),
    end: (terminalId: string | undefined) => {
      if (terminalId && !endedIds.includes(terminalId)) setEndedIds((ids) => [...ids, terminalId]);
    },
  };
}

export type TerminalTabs = ReturnType<typeof useTerminalTabs>;
