/** What a form says about a field that has no words of its own. */
export default {
  'form.required': 'Please enter {label}',
  'form.string.range': '{label} must have {min} to {max} characters',
  'form.string.min': '{label} must have at least {min} characters',
  'form.string.max': '{label} must have at most {max} characters',
  'form.number.range': '{label} must be between {min} and {max}',
  'form.number.min': '{label} must be at least {min}',
  'form.number.max': '{label} must be at most {max}',
  'form.pattern': '{label} does not have the expected form',
} as const;
