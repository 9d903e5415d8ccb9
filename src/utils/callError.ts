/** The code of a failure that came without an envelope: no answer, a time-out, or something that is not the gateway. */
export const TRANSPORT_FAILURE = -1;

/** What `call()` throws: the refusal as the gateway worded it, or a transport failure. Match on `code`, never on `msg`. */
export class CallError extends Error {
  override readonly name = 'CallError';

  constructor(
    readonly code: number,
    readonly msg: string,
    readonly data: unknown = null,
    readonly traceId = '',
    readonly status = 0,
    options?: ErrorOptions,
  ) {
    super(msg, options);
  }
}

const UNAUTHORIZED = 10004;

/** Whether the login session is gone: then a message says so and /login follows, whoever asked. */
export function isSessionLost(error: unknown): boolean {
  return error instanceof CallError && (error.status === 401 || error.code === UNAUTHORIZED);
}

export function isCallError(error: unknown, code?: number): error is CallError {
  return error instanceof CallError && (code === undefined || error.code === code);
}

/** The fields an INVALID_INPUT refusal names, without the part of the request they stood in (`body.username` → `username`). */
export function invalidFieldsOf(error: CallError): { name: string; message: string }[] {
  const fields = (error.data as { fields?: unknown } | null)?.fields;
  if (!Array.isArray(fields)) return [];
  return fields.flatMap((field: { field?: unknown; message?: unknown }) =>
    typeof field?.field === 'string' && typeof field.message === 'string'
      ? [{ name: field.field.replace(/^(body|query)\./, ''), message: field.message }]
      : [],
  );
}
