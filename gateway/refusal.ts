import type { ErrorName } from './contract/errors';
import type { FieldProblem } from './locales/fieldProblems';
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
      /** The fields that do not fit; their sentences become `data.fields`. */
      problems?: readonly FieldProblem[];
      retryAfterSeconds?: number;
      /** Whom it was about, by id; for the audit table alone, no answer shows it. */
      subject?: string;
    } = {},
  ) {
    super(error);
  }
}

/**
 * The refusal of input that fits the schema and still cannot be right; `field` as in `body.username`. The envelope words the problem
 * in the member's language.
 */
export function invalidField(field: string, word: FieldProblem['word'], params: FieldProblem['params'] = {}): Refusal {
  return invalidFields([{ field, word, params }]);
}

/** As `invalidField`, for several at once; the first one is said. */
export function invalidFields(problems: readonly FieldProblem[]): Refusal {
  const fields = problems.map(({ field, word }) => ({ field, message: word }));
  return new Refusal('INVALID_INPUT', { problems, data: { fields } });
}
