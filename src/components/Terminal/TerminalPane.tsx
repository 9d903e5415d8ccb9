import { Dropdown, Modal, message } from 'antd';
import { useEffect, useRef } from 'react';
import { useText } from '@/hooks/useText';
import { copyWords, readClipboard } from './clipboard';
import styles from './index.less';
import StatusBar from './StatusBar';
import { type TerminalSource, useTerminal } from './useTerminal';

interface TerminalPaneProps {
  label: string;
  source: TerminalSource;
  terminalId: string | undefined;
  fontSize: number;
  isActive: boolean;
  onTerminalId: (terminalId: string) => void;
  /** Starts this tab over: with a new shell, or with the same one. */
  onRestart: (terminalId?: string) => void;
  onEnded: () => void;
}

/** One terminal: its screen, its context menu and how its connection stands. */
export default function TerminalPane(props: TerminalPaneProps) {
  const { label, source, terminalId, fontSize, isActive, onTerminalId, onRestart, onEnded } = props;
  const text = useText();
  const host = useRef<HTMLDivElement>(null);
  const pane = useRef<HTMLElement>(null);
  const [modal, dialogs] = Modal.useModal();

  const handleLink = async (address: string) => {
    const isSure = await modal.confirm({
      title: text('workshop.terminal.link.title'),
      content: <span className={styles.address}>{address}</span>,
      okText: text('workshop.terminal.link.open'),
      cancelText: text('workshop.cancel'),
    });
    if (isSure) window.open(address, '_blank', 'noopener,noreferrer');
  };
  const handleCopy = async () => {
    const words = terminal.screen.current?.selection();
    if (!words) return;
    if (!(await copyWords(words))) message.warning(text('workshop.terminal.copyFailed'));
  };
  const handlePaste = async () => {
    const words = await readClipboard();
    if (words === null) message.warning(text('workshop.terminal.pasteFailed'));
    else terminal.screen.current?.paste(words);
  };
  const handleLeave = () => pane.current?.parentElement?.querySelector<HTMLElement>('[role=tab][aria-selected=true]')?.focus();

  const terminal = useTerminal({
    host,
    label,
    ...source,
    terminalId,
    fontSize,
    onTerminalId,
    onLink: handleLink,
    onCopy: handleCopy,
    onLeave: handleLeave,
  });
  const { kind } = terminal.status;

  useEffect(() => {
    if (isActive) terminal.screen.current?.fit();
    if (isActive && kind === 'connected') terminal.screen.current?.focus();
  }, [isActive, kind, terminal.screen]);
  useEffect(() => {
    if (kind === 'exited') onEnded();
  }, [kind, onEnded]);

  const menu = {
    copy: handleCopy,
    paste: handlePaste,
    selectAll: () => terminal.screen.current?.selectAll(),
    clear: () => terminal.screen.current?.clear(),
  };
  const entries = Object.keys(menu) as (keyof typeof menu)[];
  return (
    <section ref={pane} className={styles.pane} hidden={!isActive} role="tabpanel" aria-label={label}>
      <Dropdown
        trigger={['contextMenu']}
        menu={{
          items: entries.map((key) => ({ key, label: text(`workshop.terminal.${key}`) })),
          onClick: ({ key }) => menu[key as keyof typeof menu](),
        }}
      >
        <div ref={host} className={styles.screen} dir="ltr" />
      </Dropdown>
      <StatusBar
        status={terminal.status}
        onRetry={terminal.retryNow}
        onReload={() => onRestart(terminalId)}
        onNew={() => onRestart()}
      />
      {dialogs}
    </section>
  );
}
