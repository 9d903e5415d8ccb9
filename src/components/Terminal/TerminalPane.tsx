import { Dropdown } from 'antd';
import { useEffect, useRef } from 'react';
import { useText } from '@/hooks/useText';
import styles from './index.less';
import PhoneKeys from './PhoneKeys';
import { useLinkQuestion, useScreenMenu } from './paneActions';
import StatusBar from './StatusBar';
import type { TerminalScreen } from './screen';
import { updateTranscript } from './transcript';
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
  onConnected: () => void;
}

/** One terminal: its screen, its context menu and how its connection stands. */
export default function TerminalPane(props: TerminalPaneProps) {
  const { label, source, terminalId, fontSize, isActive, onTerminalId, onRestart, onEnded, onConnected } = props;
  const text = useText();
  const host = useRef<HTMLDivElement>(null);
  const pane = useRef<HTMLElement>(null);
  const transcript = useRef<HTMLDivElement>(null);
  const screen = useRef<TerminalScreen | null>(null);
  const { ask, dialogs } = useLinkQuestion();
  const { copy, menu } = useScreenMenu(screen);
  const { status, retryNow } = useTerminal({
    host,
    screen,
    label,
    ...source,
    terminalId,
    fontSize,
    onTerminalId,
    onLink: ask,
    onLines: (lines) => transcript.current && updateTranscript(transcript.current, lines),
    onCopy: copy,
    onLeave: () => pane.current?.parentElement?.querySelector<HTMLElement>('[role=tab][aria-selected=true]')?.focus(),
  });

  const { kind } = status;
  const latestOnConnected = useRef(onConnected);
  latestOnConnected.current = onConnected;
  useEffect(() => {
    if (kind === 'connected') latestOnConnected.current();
  }, [kind]);
  useEffect(() => {
    if (isActive) screen.current?.fit();
    // A terminal that comes back must not take the keyboard from a dialog that was opened meanwhile.
    const { activeElement, body } = document;
    const isFree = activeElement === body || pane.current?.parentElement?.contains(activeElement) === true;
    if (isActive && kind === 'connected' && isFree) screen.current?.focus();
  }, [isActive, kind]);
  useEffect(() => {
    if (kind === 'exited') onEnded();
  }, [kind, onEnded]);

  return (
    <section ref={pane} className={styles.pane} hidden={!isActive} role="tabpanel" aria-label={label}>
      <Dropdown trigger={['contextMenu']} menu={menu}>
        <div ref={host} className={styles.screen} dir="ltr" />
      </Dropdown>
      <div
        ref={transcript}
        role="log"
        aria-label={text('workshop.terminal.output', { name: label })}
        className={styles.transcript}
      />
      {kind === 'connected' && <PhoneKeys label={label} onKey={(key) => screen.current?.press(key)} />}
      <StatusBar status={status} onRetry={retryNow} onReload={() => onRestart(terminalId)} onNew={() => onRestart()} />
      {dialogs}
    </section>
  );
}
