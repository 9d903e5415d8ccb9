import { Input } from 'antd';
import { useId, useState } from 'react';
import { useText } from '@/hooks/useText';
import styles from './AmountField.less';

export interface Range {
  min: number;
  max: number;
  step: number;
}

/** The nearest amount there is. */
export function fitting(value: number, { min, max, step }: Range): number {
  if (!Number.isFinite(value)) return min;
  const steps = Math.round((Math.min(max, Math.max(min, value)) - min) / step);
  return Math.min(max, min + steps * step);
}

interface AmountFieldProps {
  label: string;
  range: Range;
  value: number;
  onChange: (value: number) => void;
}

/** A whole amount, by sliding or by typing. What is typed is taken as it stands while there is such an amount, else when the field is left. */
export function AmountField({ label, range, value, onChange }: AmountFieldProps) {
  const text = useText();
  const id = useId();
  const [draft, setDraft] = useState<string>();
  const { min, max, step } = range;
  const handleType = (typed: string) => {
    setDraft(typed);
    const amount = Number(typed);
    if (typed.trim() !== '' && fitting(amount, range) === amount) onChange(amount);
  };
  const handleLeave = () => {
    if (draft !== undefined && draft.trim() !== '') onChange(fitting(Number(draft), range));
    setDraft(undefined);
  };
  const figures = { min, max, step };
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <Input
        id={id}
        type="number"
        inputMode="numeric"
        min={min}
        max={max}
        step={step}
        value={draft ?? value}
        aria-describedby={`${id}-range`}
        onChange={({ target }) => handleType(target.value)}
        onBlur={handleLeave}
        onPressEnter={handleLeave}
      />
      <input
        type="range"
        min={min}
        max={max}
        step={step}
        value={value}
        aria-label={text('membership.custom.slider', { label })}
        onChange={({ target }) => {
          setDraft(undefined);
          onChange(Number(target.value));
        }}
      />
      <small id={`${id}-range`}>{text(step === 1 ? 'membership.custom.range' : 'membership.custom.range.step', figures)}</small>
    </div>
  );
}
