import { type MutableRefObject, type RefObject, useEffect, useRef, useState } from 'react';
import { useAppearance } from '@/hooks/useAppearance';
import { type ConnectionStatus, TerminalConnection, type TerminalTicket } from './connection';
import type { TerminalScreen } from './screen';

export interface TerminalSource {
  /** Without an id for a new terminal. */
  getTicket: (terminalId?: string) => Promise<TerminalTicket>;
  /** A refusal that asking again cannot change. */
  isFinal: (error: Error) => boolean;
}

interface TerminalOptions extends TerminalSource {
  host: RefObject<HTMLElement | null>;
  /** Filled while the screen is there. */
  screen: MutableRefObject<TerminalScreen | null>;
  label: string;
  terminalId: string | undefined;
  fontSize: number;
  onTerminalId: (terminalId: string) => void;
  onLink: (address: string) => void;
  onLines: (lines: string[]) => void;
  onCopy: () => void;
  onLeave: () => void;
}

export type PaneStatus = ConnectionStatus | { kind: 'loading' } | { kind: 'failed' };

/**
 * One terminal on the page: loads the screen, keeps it connected and follows size and theme. Unmounting detaches; the
 * shell goes on.
 */
export function useTerminal(options: TerminalOptions) {
  const latest = useRef(options);
  latest.current = options;
  const { isDark } = useAppearance();
  const look = useRef({ isDark, fontSize: options.fontSize });
  look.current = { isDark, fontSize: options.fontSize };
  const { screen } = options;
  const connection = useRef<TerminalConnection | null>(null);
  const [status, setStatus] = useState<PaneStatus>({ kind: 'loading' });

  useEffect(() => {
    let isGone = false;
    let observer: ResizeObserver | null = null;
    const start = async () => {
      const { TerminalScreen: Screen } = await import('./screen');
      const host = latest.current.host.current;
      if (isGone || !host) return;
      const shown = new Screen(host, {
        label: latest.current.label,
        ...look.current,
        fontFamily: getComputedStyle(host).getPropertyValue('--mono') || 'monospace',
        onInput: (bytes) => connection.current?.send(bytes),
        onResize: (cols, rows) => connection.current?.resize(cols, rows),
        onLink: (address) => latest.current.onLink(address),
        onLines: (lines) => latest.current.onLines(lines),
        onCopy: () => latest.current.onCopy(),
        onLeave: () => latest.current.onLeave(),
      });
      screen.current = shown;
      connection.current = new TerminalConnection({
        terminalId: latest.current.terminalId,
        getTicket: (terminalId) => latest.current.getTicket(terminalId),
        isFinal: (error) => latest.current.isFinal(error),
        onOutput: (bytes) => shown.write(bytes),
        onReplay: (bytes) => shown.replay(bytes),
        onTerminalId: (terminalId) => latest.current.onTerminalId(terminalId),
        onStatus: setStatus,
      });
      const { cols, rows } = shown.size();
      connection.current.resize(cols, rows);
      observer = new ResizeObserver(() => shown.fit());
      observer.observe(host);
    };
    start().catch(() => {
      if (!isGone) setStatus({ kind: 'failed' });
    });
    return () => {
      isGone = true;
      observer?.disconnect();
      connection.current?.close();
      screen.current?.dispose();
      connection.current = null;
      screen.current = null;
    };
  }, [screen]);

  useEffect(() => screen.current?.restyle(isDark, options.fontSize), [screen, isDark, options.fontSize]);

  return {
    status,
    retryNow: () => connection.current?.retryNow(),
  };
}
