import type { FormInstance, Rule } from 'antd/es/form';
import { invalidFieldsOf, isCallError } from '@/utils/callError';
import type { Text } from '@/utils/words';
import { errors } from '../../../../../../gateway/contract/errors';
import { limits } from '../../../../../../gateway/contract/limits';

/** What a name must be, in the words of the form. Length counts letters as people do, not code units. */
export function nameRules(text: Text): Rule[] {
  const { max } = limits.workshopName;
  return [
    { required: true, whitespace: true, message: text('workshop.create.name.required') },
    {
      validator: (_rule, name: string = '') =>
        [...name.normalize('NFC').trim()].length > max
          ? Promise.reject(new Error(text('workshop.create.name.tooLong', { max })))
          : Promise.resolve(),
    },
    {
      validator: (_rule, name: string = '') =>
        /\p{Cc}/u.test(name) ? Promise.reject(new Error(text('workshop.create.name.invalid'))) : Promise.resolve(),
    },
  ];
}

const fieldOfCode: Readonly<Record<number, string>> = {
  [errors.WORKSHOP_NAME_TAKEN.code]: 'name',
  [errors.SPEC_UNAVAILABLE.code]: 'specId',
  [errors.IMAGE_UNAVAILABLE.code]: 'imageId',
  [errors.ENGINE_NO_NETWORK.code]: 'isOnline',
};

/** Puts a refusal beside the field it is about; false when it is about none of them. */
export function showBesideField(form: FormInstance, error: unknown): boolean {
  if (!isCallError(error)) return false;
  const field = fieldOfCode[error.code];
  const named = field ? [{ name: field, message: error.msg }] : invalidFieldsOf(error);
  if (named.length === 0) return false;
  // A variable has no field of its own: what is wrong with it names it.
  const placed = named.map(({ name, message }) =>
    name.startsWith('env.') ? { name: 'env', message: `${name.slice(4)}: ${message}` } : { name, message },
  );
  form.setFields(placed.map(({ name, message }) => ({ name, errors: [message] })));
  form.scrollToField(placed[0]?.name, { block: 'center' });
  return true;
}
