import type source from '../en-US/form';

const words: Record<keyof typeof source, string> = {
  'form.required': '请输入{label}',
  'form.string.range': '{label}须为 {min} 至 {max} 个字符',
  'form.string.min': '{label}至少 {min} 个字符',
  'form.string.max': '{label}最多 {max} 个字符',
  'form.number.range': '{label}须在 {min} 至 {max} 之间',
  'form.number.min': '{label}不能小于 {min}',
  'form.number.max': '{label}不能大于 {max}',
  'form.pattern': '{label}格式不正确',
};

export default words;
