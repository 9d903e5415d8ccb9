import type { LoggerOptions } from 'pino';

const CENSOR = '[redacted]';

/** Field names whose values never reach a log, at the top of an entry or one level down. */
const secretFields = [
  'password',
  'confirm',
  'captcha',
  'code',
  'codeHash',
  'passwordHash',
  'secret',
  'token',
  'ticket',
  'mobile',
  'mobilePhone',
  'phone',
  'email',
  'idNumber',
  'cookie',
  'authorization',
  'hmacKey',
] as const;

/** Paths for pino's `redact`. */
export const redactPaths: string[] = [
  ...secretFields.flatMap((field) => [field, `*.${field}`]),
  ...['["set-cookie"]', '["sec-websocket-protocol"]'].flatMap((header) => [`headers${header}`, `*.headers${header}`]),
];

interface LoggedRequest {
  method: string;
  url: string;
  ip?: string;
}

/**
 * What the gateway's logger must be made with: no cookie, password, code, phone or mail address is written. A URL is logged without
 * its query (the call that sends codes carries the number there), a database error without its row (`detail` quotes values).
 */
export const safeLogging = {
  redact: { paths: redactPaths, censor: CENSOR },
  serializers: {
    req: (request: LoggedRequest) => ({ method: request.method, url: pathOf(request.url), ip: request.ip }),
    res: (reply: { statusCode: number }) => ({ statusCode: reply.statusCode }),
    err: describeError,
  },
} as const satisfies Pick<LoggerOptions, 'redact' | 'serializers'>;

function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? '';
}

/** Named fields only: whatever else hangs on an error (a database's detail, a query's values) stays out. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code, constraint, table } = error as Error & { code?: unknown; constraint?: unknown; table?: unknown };
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    // A Node or SQLSTATE code, renamed because `code` is a secret elsewhere.
    ...(typeof code === 'string' ? { state: code } : {}),
    ...(typeof constraint === 'string' ? { constraint } : {}),
    ...(typeof table === 'string' ? { table } : {}),
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  };
}
