import { Button } from 'antd';
import { useIsPhone } from '@/hooks/useIsPhone';
import { useText } from '@/hooks/useText';
import styles from './index.less';
import type { ScreenKey } from './screen';

const keys: readonly { key: ScreenKey; face: string }[] = [
  { key: 'escape', face: 'Esc' },
  { key: 'tab', face: 'Tab' },
  { key: 'interrupt', face: '^C' },
  { key: 'endOfInput', face: '^D' },
  { key: 'up', face: '↑' },
  { key: 'down', face: '↓' },
  { key: 'left', face: '←' },
  { key: 'right', face: '→' },
];

/** The keys a phone's keyboard lacks: eight of a finger's width stand side by side on the narrowest. */
export default function PhoneKeys({ label, onKey }: { label: string; onKey: (key: ScreenKey) => void }) {
  const text = useText();
  if (!useIsPhone()) return null;
  return (
    <div role="toolbar" aria-label={text('workshop.terminal.phoneKeys', { name: label })} className={styles.phoneKeys} dir="ltr">
      {keys.map(({ key, face }) => (
        <Button
          key={key}
          type="text"
          aria-label={text(`workshop.terminal.key.${key}`)}
          // The screen keeps the focus, and with it the phone its keyboard.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onKey(key)}
        >
          {face}
        </Button>
      ))}
    </div>
  );
}
