import { useFullscreen } from 'ahooks';
import { useRef } from 'react';
import { useText } from '@/hooks/useText';
import { useFontSize } from './fontSize';
import styles from './index.less';
import TerminalBar from './TerminalBar';
import TerminalPane from './TerminalPane';
import TerminalTools from './TerminalTools';
import { useTerminalTabs } from './terminalTabs';
import type { TerminalSource } from './useTerminal';

interface TerminalProps {
  source: TerminalSource;
  /** Terminals the lab already runs. */
  runningIds: readonly string[];
  limit: number;
  /** False while another tab of the page covers it; the terminals stay connected. */
  isShown: boolean;
  /** A terminal is connected, for the first time or again. */
  onConnected: () => void;
}

/** The terminals of a running lab, side by side in tabs. */
export default function Terminal({ source, runningIds, limit, isShown, onConnected }: TerminalProps) {
  const text = useText();
  const section = useRef<HTMLElement>(null);
  const terminals = useTerminalTabs(runningIds, isShown);
  const font = useFontSize();
  const [isFull, { toggleFullscreen }] = useFullscreen(section);
  const { tabs, activeKey } = terminals;
  return (
    <section ref={section} className={styles.terminals}>
      <div className={styles.bar}>
        <TerminalBar terminals={terminals} limit={limit} />
        <span className={styles.spacer} />
        <TerminalTools font={font} isFull={isFull} onToggleFull={toggleFullscreen} />
      </div>
      {tabs.length === 0 && isShown && (
        <div className={styles.none}>
          <strong>{text('workshop.terminal.none')}</strong>
          <p>{text('workshop.terminal.none.text')}</p>
        </div>
      )}
      {tabs.map((tab) => (
        <TerminalPane
          key={tab.key}
          label={text('workshop.terminal.name', { number: tab.number })}
          source={source}
          terminalId={tab.terminalId}
          fontSize={font.fontSize}
          isActive={isShown && tab.key === activeKey}
          onConnected={onConnected}
          onTerminalId={(terminalId) => terminals.name(tab.key, terminalId)}
          onRestart={(terminalId) => terminals.restart(tab.key, terminalId)}
          onEnded={() => terminals.end(tab.terminalId)}
        />
      ))}
    </section>
  );
}
