import type { ErrorName, InvalidField } from './contract/errors';
import type { Language } from './locales/messages';

/**
 * A named refusal: the only error a service throws on purpose. The envelope plugin turns it into code, status and a
 * sentence in the member's language; `params` fill that sentence, `data` goes to the page.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  constructor(
    readonly error: ErrorName,
    readonly options: {
      /** Said instead of the error's usual sentence, where one code has several causes. */
      sentences?: Readonly<Record<Language, string>>;
      params?: Readonly<Record<string, string | number>>;
      data?: Readonly<Record<string, unknown>>;
      retryAfterSeconds?: number;
    } = {},
  ) {
    super(error);
  }
}

/** The refusal of input that fits the schema and still cannot be right; `field` as in `body.username`. */
export function invalidField(field: string, message: string): Refusal {
  const fields: InvalidField[] = [{ field, message }];
  return new Refusal('INVALID_INPUT', { data: { fields }, params: { field, problem: message } });
}
