import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { Button, Input } from 'antd';
import { type ClipboardEvent, useState } from 'react';
import { useText } from '@/hooks/useText';
import { limits } from '../../../../../../gateway/contract/limits';
import { type EnvRow, withLines } from './envRows';
import styles from './setup.less';

interface EnvEditorProps {
  value?: EnvRow[];
  onChange?: (rows: EnvRow[]) => void;
}

/** Lines of a `.env` file, for who has many variables. */
function PasteBox({ onLines, onClose }: { onLines: (lines: string) => void; onClose: () => void }) {
  const text = useText();
  const [lines, setLines] = useState('');
  return (
    <div className={styles.paste}>
      <Input.TextArea
        autoFocus
        rows={4}
        spellCheck={false}
        className={styles.mono}
        aria-label={text('setup.env.lines')}
        placeholder={text('setup.env.lines.example')}
        value={lines}
        onChange={({ target }) => setLines(target.value)}
      />
      <span>
        <Button onClick={onClose}>{text('workshop.cancel')}</Button>
        <Button disabled={lines.trim() === ''} onClick={() => onLines(lines)}>
          {text('setup.env.lines.add')}
        </Button>
      </span>
    </div>
  );
}

/** The variables of a workshop's shells, a row each; lines pasted into a name become rows. */
export default function EnvEditor({ value = [], onChange = () => undefined }: EnvEditorProps) {
  const text = useText();
  const [isPasting, setIsPasting] = useState(false);
  const [unread, setUnread] = useState(0);
  const change = (row: number, part: Partial<EnvRow>) =>
    onChange(value.map((one) => (one.row === row ? { ...one, ...part } : one)));
  const addLines = (lines: string) => {
    const read = withLines(value, lines);
    onChange(read.rows);
    setUnread(read.unread);
    setIsPasting(false);
  };
  const handlePaste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData('text');
    if (!pasted.includes('=')) return;
    event.preventDefault();
    addLines(pasted);
  };
  const addRow = () => onChange([...value, { row: Math.max(-1, ...value.map(({ row }) => row)) + 1, name: '', value: '' }]);
  return (
    <div className={styles.env}>
      {value.length > 0 && (
        <ul>
          {value.map(({ row, name, value: content }, index) => (
            <li key={row}>
              <Input
                className={styles.mono}
                spellCheck={false}
                autoComplete="off"
                placeholder={text('setup.env.name')}
                aria-label={text('setup.env.name.of', { number: index + 1 })}
                value={name}
                maxLength={64}
                onPaste={handlePaste}
                onChange={({ target }) => change(row, { name: target.value })}
              />
              <Input
                className={styles.mono}
                spellCheck={false}
                autoComplete="off"
                placeholder={text('setup.env.value')}
                aria-label={text('setup.env.value.of', { number: index + 1 })}
                value={content}
                maxLength={limits.envValueLength}
                onChange={({ target }) => change(row, { value: target.value })}
              />
              <Button
                type="text"
                icon={<DeleteOutlined aria-hidden />}
                aria-label={text('setup.env.remove', { number: index + 1 })}
                onClick={() => onChange(value.filter((one) => one.row !== row))}
              />
            </li>
          ))}
        </ul>
      )}
      {isPasting && <PasteBox onLines={addLines} onClose={() => setIsPasting(false)} />}
      {unread > 0 && <p role="status">{text('setup.env.unread', { count: unread })}</p>}
      <span>
        <Button icon={<PlusOutlined aria-hidden />} disabled={value.length >= limits.envNames} onClick={addRow}>
          {text('setup.env.add')}
        </Button>
        {!isPasting && (
          <Button type="text" onClick={() => setIsPasting(true)}>
            {text('setup.env.paste')}
          </Button>
        )}
      </span>
    </div>
  );
}
