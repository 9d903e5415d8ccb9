import { CloseOutlined, PlusOutlined } from '@ant-design/icons';
import { Button, Dropdown, Tooltip } from 'antd';
import { type KeyboardEvent, useRef } from 'react';
import { useText } from '@/hooks/useText';
import styles from './index.less';
import type { TerminalTab, TerminalTabs } from './terminalTabs';

/** The tabs of the open terminals, and the way to another one. */
export default function TerminalBar({ terminals, limit }: { terminals: TerminalTabs; limit: number }) {
  const text = useText();
  const list = useRef<HTMLDivElement>(null);
  const { tabs, activeKey, detachedIds } = terminals;
  const nameOf = (tab: TerminalTab) => text('workshop.terminal.name', { number: tab.number });
  const active = tabs.find((tab) => tab.key === activeKey);

  const handleArrow = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const index = tabs.findIndex((tab) => tab.key === activeKey);
    const next = step && tabs[(index + step + tabs.length) % tabs.length];
    if (!next) return;
    terminals.select(next.key);
    list.current?.querySelector<HTMLElement>(`[data-tab="${next.key}"]`)?.focus();
  };
  return (
    <>
      <div ref={list} role="tablist" aria-label={text('workshop.terminal.list')} className={styles.tabs} onKeyDown={handleArrow}>
        {tabs.map((tab) => (
          <button
            key={tab.key}
            type="button"
            role="tab"
            data-tab={tab.key}
            aria-selected={tab.key === activeKey}
            tabIndex={tab.key === activeKey ? 0 : -1}
            className={styles.tab}
            onClick={() => terminals.select(tab.key)}
          >
            {nameOf(tab)}
          </button>
        ))}
      </div>
      {active && (
        <Tooltip title={text('workshop.terminal.close.words')}>
          <Button
            type="text"
            size="small"
            icon={<CloseOutlined aria-hidden />}
            aria-label={text('workshop.terminal.close', { name: nameOf(active) })}
            onClick={() => terminals.close(active.key)}
          />
        </Tooltip>
      )}
      <NewTerminal
        isAtLimit={tabs.length + detachedIds.length >= limit}
        limit={limit}
        detachedIds={detachedIds}
        onAdd={terminals.add}
      />
    </>
  );
}

interface NewTerminalProps {
  isAtLimit: boolean;
  limit: number;
  detachedIds: readonly string[];
  onAdd: (terminalId?: string) => void;
}

/** Opens a new shell, or one that was left running. */
function NewTerminal({ isAtLimit, limit, detachedIds, onAdd }: NewTerminalProps) {
  const text = useText();
  const label = text('workshop.terminal.new');
  const add = (
    <Tooltip title={isAtLimit ? text('workshop.terminal.full', { limit }) : undefined}>
      <Button type="text" size="small" icon={<PlusOutlined aria-hidden />} disabled={isAtLimit} onClick={() => onAdd()}>
        <span className={styles.newWord}>{label}</span>
      </Button>
    </Tooltip>
  );
  if (detachedIds.length === 0) return add;
  const items = detachedIds.map((id, index) => ({
    key: id,
    label: text('workshop.terminal.reopen', { name: text('workshop.terminal.name', { number: index + 1 }) }),
  }));
  return (
    <>
      {add}
      <Dropdown trigger={['click']} menu={{ items, onClick: ({ key }) => onAdd(key) }}>
        <Button type="text" size="small">
          {text('workshop.terminal.detached', { count: detachedIds.length })}
        </Button>
      </Dropdown>
    </>
  );
}
