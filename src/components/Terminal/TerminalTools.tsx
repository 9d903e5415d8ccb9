import { FontSizeOutlined, FullscreenExitOutlined, FullscreenOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useText } from '@/hooks/useText';
import type { useFontSize } from './fontSize';
import styles from './index.less';

interface TerminalToolsProps {
  font: ReturnType<typeof useFontSize>;
  isFull: boolean;
  onToggleFull: () => void;
}

/** Size of the text, and the whole screen. */
export default function TerminalTools({ font, isFull, onToggleFull }: TerminalToolsProps) {
  const text = useText();
  return (
    <>
      <span className={styles.font}>
        <Button
          type="text"
          size="small"
          disabled={!font.canShrink}
          icon={<FontSizeOutlined className={styles.small} aria-hidden />}
          aria-label={text('workshop.terminal.smaller')}
          title={text('workshop.terminal.smaller')}
          onClick={() => font.changeBy(-1)}
        />
        <Button
          type="text"
          size="small"
          disabled={!font.canGrow}
          icon={<FontSizeOutlined aria-hidden />}
          aria-label={text('workshop.terminal.larger')}
          title={text('workshop.terminal.larger')}
          onClick={() => font.changeBy(1)}
        />
      </span>
      <Button
        type="text"
        size="small"
        icon={isFull ? <FullscreenExitOutlined aria-hidden /> : <FullscreenOutlined aria-hidden />}
        aria-label={text(isFull ? 'workshop.terminal.fullscreen.leave' : 'workshop.terminal.fullscreen')}
        title={text(isFull ? 'workshop.terminal.fullscreen.leave' : 'workshop.terminal.fullscreen')}
        onClick={onToggleFull}
      />
    </>
  );
}
