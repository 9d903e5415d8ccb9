import { useState } from 'react';

export interface TerminalTab {
  key: number;
  number: number;
  terminalId: string | undefined;
}

/** A shell that runs without a tab; it keeps the number it had. */
export interface DetachedShell {
  terminalId: string;
  number: number;
}

interface Desk {
  tabs: readonly TerminalTab[];
  activeKey: number;
  nextKey: number;
  /** The number every shell of this lab was shown with. */
  numbers: Readonly<Record<string, number>>;
  endedIds: readonly string[];
}

const NO_TAB = -1;

/** The lowest number that is not taken. */
function freeNumber(taken: readonly number[]): number {
  let number = 1;
  while (taken.includes(number)) number += 1;
  return number;
}

/** Shells this page has not met yet, opened in another window, get the next free numbers. */
function numbered(numbers: Desk['numbers'], runningIds: readonly string[], taken: readonly number[] = []): Desk['numbers'] {
  const all = { ...numbers };
  for (const id of runningIds) all[id] ??= freeNumber([...Object.values(all), ...taken]);
  return all;
}

function openDesk(runningIds: readonly string[]): Desk {
  const numbers = numbered({}, runningIds);
  const tabs: TerminalTab[] = runningIds.map((terminalId, key) => ({ key, number: numbers[terminalId] ?? 1, terminalId }));
  if (tabs.length === 0) tabs.push({ key: 0, number: 1, terminalId: undefined });
  return { tabs, activeKey: 0, nextKey: tabs.length, numbers, endedIds: [] };
}

function withTab(desk: Desk, number: number, terminalId: string | undefined, insteadOf?: number): Desk {
  const tab: TerminalTab = { key: desk.nextKey, number, terminalId };
  const tabs = insteadOf === undefined ? [...desk.tabs, tab] : desk.tabs.map((one) => (one.key === insteadOf ? tab : one));
  return { ...desk, tabs, activeKey: tab.key, nextKey: tab.key + 1 };
}

function withoutTab(desk: Desk, key: number): Desk {
  const index = desk.tabs.findIndex((tab) => tab.key === key);
  const tabs = desk.tabs.filter((tab) => tab.key !== key);
  return { ...desk, tabs, activeKey: key === desk.activeKey ? (tabs[Math.max(0, index - 1)]?.key ?? NO_TAB) : desk.activeKey };
}

function withName(desk: Desk, key: number, terminalId: string): Desk {
  const tabs = desk.tabs.map((tab) => (tab.key === key ? { ...tab, terminalId } : tab));
  const number = tabs.find((tab) => tab.key === key)?.number;
  return { ...desk, tabs, numbers: number === undefined ? desk.numbers : { ...desk.numbers, [terminalId]: number } };
}

const nothing: Desk = { tabs: [], activeKey: NO_TAB, nextKey: 0, numbers: {}, endedIds: [] };

/**
 * The terminals on the page: those that already ran are attached again, a new one is opened where none ran. Closing a tab
 * detaches; the shell stays among `detached` until it ends.
 */
export function useTerminalTabs(runningIds: readonly string[], isShown: boolean) {
  const [opened, setDesk] = useState<Desk | null>(null);
  // Connecting begins when the terminals are first looked at, not when another tab of the page is.
  if (opened === null && isShown) setDesk(openDesk(runningIds));
  const change = (step: (desk: Desk) => Desk) => setDesk((now) => now && step(now));

  const { tabs, activeKey, endedIds, numbers: met } = opened ?? nothing;
  const shown = tabs.map((tab) => tab.number);
  const numbers = numbered(met, runningIds, shown);
  const detached: DetachedShell[] = runningIds
    .filter((id) => !endedIds.includes(id) && tabs.every((tab) => tab.terminalId !== id))
    .map((terminalId) => ({ terminalId, number: numbers[terminalId] ?? 1 }));
  const live = tabs.filter(({ terminalId }) => terminalId === undefined || !endedIds.includes(terminalId));
  const free = freeNumber([...shown, ...detached.map(({ number }) => number)]);
  return {
    tabs,
    activeKey,
    detached,
    /** Shells that run or are about to: a tab whose shell ended takes no place. */
    openCount: live.length + detached.length,
    select: (key: number) => change((now) => ({ ...now, activeKey: key })),
    add: (shell?: DetachedShell) => change((now) => withTab(now, shell?.number ?? free, shell?.terminalId)),
    close: (key: number) => change((now) => withoutTab(now, key)),
    restart: (key: number, terminalId?: string) =>
      change((now) => withTab(now, now.tabs.find((tab) => tab.key === key)?.number ?? free, terminalId, key)),
    name: (key: number, terminalId: string) => change((now) => withName(now, key, terminalId)),
    end: (terminalId: string | undefined) => {
      if (terminalId && !endedIds.includes(terminalId)) change((now) => ({ ...now, endedIds: [...now.endedIds, terminalId] }));
    },
  };
}

export type TerminalTabs = ReturnType<typeof useTerminalTabs>;
