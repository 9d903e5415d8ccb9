import type { Text } from '@/utils/words';

/** Antd fills these in: the field's label and the bounds of its rule. */
const holes = { label: '$' + '{label}', min: '$' + '{min}', max: '$' + '{max}' };

/** The generic messages of every form, for rules without words of their own. */
export function formMessages(text: Text) {
  const { label, min, max } = holes;
  return {
    required: text('form.required', { label }),
    string: {
      range: text('form.string.range', { label, min, max }),
      min: text('form.string.min', { label, min }),
      max: text('form.string.max', { label, max }),
    },
    number: {
      range: text('form.number.range', { label, min, max }),
      min: text('form.number.min', { label, min }),
      max: text('form.number.max', { label, max }),
    },
    pattern: { mismatch: text('form.pattern', { label }) },
  };
}
