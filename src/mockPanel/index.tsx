import { ToolOutlined } from '@ant-design/icons';
import { useIntl, useModel } from '@umijs/max';
import { useRequest } from 'ahooks';
import { Button, Card, Input } from 'antd';
import { useId, useState } from 'react';
import enUS from '../locales/en-US/mockPanel';
import zhCN from '../locales/zh-CN/mockPanel';
import { currentLanguage } from '../utils/language';
import styles from './index.less';
import { becomeMember, getMockState, type MockState, setSwitches } from './mockCalls';

type MockWord = keyof typeof enUS;
type MockText = (word: MockWord) => string;

const answers = ['usual', 'error', 'unavailable', 'sessionLost', 'cut'] as const;
const delays = [0, 2_000, 10_000] as const;
const usual: MockState['switches'] = { answer: 'usual', delayMs: 0, path: '' };

/** The corner of mock mode: who one is, and how the gateway answers. Only `npm run mock` compiles it. */
export default function MockPanel() {
  // Asked for only to be drawn again when the language changes.
  useIntl();
  const words: Readonly<Record<MockWord, string>> = currentLanguage() === 'en-US' ? enUS : zhCN;
  const text: MockText = (word) => words[word];
  const [isOpen, setIsOpen] = useState(false);
  const { data, error, run, mutate } = useRequest(getMockState, { onError: () => undefined });
  const change = useRequest(setSwitches, {
    manual: true,
    onSuccess: (switches) => data && mutate({ ...data, switches }),
    onError: () => run(),
  });
  const isUsual = !data || (data.switches.answer === 'usual' && data.switches.delayMs === 0);
  const label = text(isOpen ? 'mock.close' : 'mock.open');
  return (
    <aside className={styles.corner} aria-label={text('mock.title')}>
      {isOpen ? (
        <Card size="small" title={text('mock.title')} className={styles.panel}>
          {error || change.error ? <p role="alert">{text('mock.failed')}</p> : null}
          {data ? <Fields state={data} text={text} onChange={change.run} /> : null}
        </Card>
      ) : null}
      <Button
        shape={isUsual ? 'circle' : 'round'}
        danger={!isUsual}
        icon={<ToolOutlined />}
        aria-expanded={isOpen}
        aria-label={isUsual ? label : `${label} · ${text('mock.changed')}`}
        title={label}
        onClick={() => setIsOpen(!isOpen)}
      >
        {isUsual ? null : text('mock.changed')}
      </Button>
    </aside>
  );
}

interface FieldsProps {
  state: MockState;
  text: MockText;
  onChange: (switches: MockState['switches']) => void;
}

function Fields({ state: { members, switches }, text, onChange }: FieldsProps) {
  const { currentUser } = useModel('session');
  const id = useId();
  const people = [{ username: '', kind: 'visitor' }, ...members];
  return (
    <div className={styles.fields}>
      <Choice
        label={text('mock.member')}
        value={currentUser.userName}
        options={people.map(({ username, kind }) => [username, text(`mock.member.${kind}` as MockWord)])}
        onChange={becomeMember}
      />
      <Choice
        label={text('mock.answer')}
        value={switches.answer}
        options={answers.map((answer) => [answer, text(`mock.answer.${answer}`)])}
        onChange={(answer) => onChange({ ...switches, answer })}
      />
      <Choice
        label={text('mock.delay')}
        value={String(switches.delayMs)}
        options={delays.map((delayMs) => [String(delayMs), text(`mock.delay.${delayMs}`)])}
        onChange={(delayMs) => onChange({ ...switches, delayMs: Number(delayMs) })}
      />
      <label htmlFor={id}>{text('mock.path')}</label>
      <Input
        id={id}
        key={switches.path}
        defaultValue={switches.path}
        maxLength={100}
        dir="ltr"
        onBlur={({ target }) => onChange({ ...switches, path: target.value.trim() })}
        onPressEnter={({ currentTarget }) => currentTarget.blur()}
      />
      <Button onClick={() => onChange(usual)}>{text('mock.reset')}</Button>
    </div>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  /** Value and words of each. */
  options: readonly (readonly [string, string])[];
  onChange: (value: string) => void;
}

/** The browser's own: it opens over everything, whatever the page shows. */
function Choice({ label, value, options, onChange }: ChoiceProps) {
  const id = useId();
  return (
    <>
      <label htmlFor={id}>{label}</label>
      <select id={id} className={styles.choice} value={value} onChange={({ target }) => onChange(target.value)}>
        {options.map(([option, words]) => (
          <option key={option} value={option}>
            {words}
          </option>
        ))}
      </select>
    </>
  );
}
