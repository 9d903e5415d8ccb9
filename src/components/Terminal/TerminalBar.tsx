import { CloseOutlined, PlusOutlined } from '@ant-design/icons';
import { Button, Dropdown, Tooltip } from 'antd';
import { type KeyboardEvent, useId, useRef } from 'react';
import { useText } from '@/hooks/useText';
import styles from './index.less';
import type { DetachedShell, TerminalTab, TerminalTabs } from './terminalTabs';

/** The tabs of the open terminals, and the way to another one. */
export default function TerminalBar({ terminals, limit }: { terminals: TerminalTabs; limit: number }) {
  const text = useText();
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const { tabs, activeKey } = terminals;
  const nameOf = (tab: TerminalTab) => text('workshop.terminal.name', { number: tab.number });
  const idOf = (tab: TerminalTab) => `${id}-${tab.key}`;

  const handleKey = (event: KeyboardEvent) => {
    if (event.key === 'Delete') return terminals.close(activeKey);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const index = tabs.findIndex((tab) => tab.key === activeKey);
    const next = step && tabs[(index + step + tabs.length) % tabs.length];
    if (!next) return;
    terminals.select(next.key);
    list.current?.querySelector<HTMLElement>(`[data-tab="${next.key}"]`)?.focus();
  };
  return (
    <>
      <div ref={list} className={styles.tabs}>
        {/* A list of tabs may hold nothing but tabs, and ours have a button each beside them: so it names them as its own. */}
        <span role="tablist" aria-label={text('workshop.terminal.list')} aria-owns={tabs.map(idOf).join(' ')} />
        {tabs.map((tab) => (
          <span key={tab.key} className={styles.tab} data-active={tab.key === activeKey}>
            <button
              id={idOf(tab)}
              type="button"
              role="tab"
              data-tab={tab.key}
              aria-selected={tab.key === activeKey}
              tabIndex={tab.key === activeKey ? 0 : -1}
              onClick={() => terminals.select(tab.key)}
              onKeyDown={handleKey}
            >
              {nameOf(tab)}
            </button>
            <button
              type="button"
              className={styles.close}
              aria-label={text('workshop.terminal.close', { name: nameOf(tab) })}
              title={text('workshop.terminal.close.words')}
              onClick={() => terminals.close(tab.key)}
            >
              <CloseOutlined aria-hidden />
            </button>
          </span>
        ))}
      </div>
      <NewTerminal isAtLimit={terminals.openCount >= limit} limit={limit} detached={terminals.detached} onAdd={terminals.add} />
    </>
  );
}

interface NewTerminalProps {
  isAtLimit: boolean;
  limit: number;
  detached: readonly DetachedShell[];
  onAdd: (shell?: DetachedShell) => void;
}

/** Opens a new shell, or one that was left running. */
function NewTerminal({ isAtLimit, limit, detached, onAdd }: NewTerminalProps) {
  const text = useText();
  const label = text('workshop.terminal.new');
  const add = (
    <Tooltip title={isAtLimit ? text('workshop.terminal.full', { limit }) : undefined}>
      <Button
        type="text"
        size="small"
        icon={<PlusOutlined aria-hidden />}
        aria-label={label}
        disabled={isAtLimit}
        onClick={() => onAdd()}
      >
        <span className={styles.newWord}>{label}</span>
      </Button>
    </Tooltip>
  );
  if (detached.length === 0) return add;
  const items = detached.map(({ terminalId, number }) => ({
    key: terminalId,
    label: text('workshop.terminal.reopen', { name: text('workshop.terminal.name', { number }) }),
  }));
  return (
    <>
      {add}
      <Dropdown
        trigger={['click']}
        menu={{ items, onClick: ({ key }) => onAdd(detached.find(({ terminalId }) => terminalId === key)) }}
      >
        <Button type="text" size="small">
          {text('workshop.terminal.detached', { count: detached.length })}
        </Button>
      </Dropdown>
    </>
  );
}
