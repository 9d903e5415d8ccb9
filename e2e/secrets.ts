export type SecretKind = 'password' | 'code' | 'number' | 'mail' | 'cookie' | 'ticket';

export interface Secret {
  kind: SecretKind;
  value: string;
}

/** What stands in a request's body or a query under these names is nobody's business but the gateway's. */
const kindByField: Readonly<Record<string, SecretKind>> = {
  password: 'password',
  confirm: 'password',
  oldPassword: 'password',
  newPassword: 'password',
  captcha: 'code',
  code: 'code',
  mobile: 'number',
  newMobile: 'number',
  email: 'mail',
  ticket: 'ticket',
};

/** Everything the tests of one gateway typed, were sent or were given that no log may hold. */
export class Secrets {
  private readonly found = new Map<string, Secret>();

  add(kind: SecretKind, value: string): void {
    if (value !== '') this.found.set(`${kind} ${value}`, { kind, value });
  }

  /** The secret fields of a JSON body or answer, at any depth. */
  addFields(json: unknown): void {
    if (typeof json !== 'object' || json === null) return;
    for (const [name, value] of Object.entries(json)) {
      const kind = kindByField[name];
      if (kind !== undefined && typeof value === 'string' && (kind !== 'code' || /^\d{4,8}$/.test(value))) this.add(kind, value);
      else this.addFields(value);
    }
  }

  /** The values of `Set-Cookie` lines. */
  addCookies(lines: readonly string[]): void {
    for (const line of lines) this.add('cookie', /^[^=]+=([^;]*)/.exec(line)?.[1] ?? '');
  }

  list(): Secret[] {
    return [...this.found.values()];
  }
}

/** Every line that holds one of the secrets, said without saying the secret again. */
export function findLeaks(log: string, secrets: readonly Secret[]): string[] {
  const patterns = secrets.flatMap(({ kind, value }) => formsOf(kind, value).map((form) => ({ kind, form })));
  return log
    .split('\n')
    .filter((line) => !isForOperator(line))
    .flatMap((line) => {
      const written = withoutFigures(line);
      return patterns
        .filter(({ kind, form }) => holds(written, kind, form))
        .map(({ kind, form }) => `${kind} in: ${written.replaceAll(form, `«${kind}»`).slice(0, 300)}`);
    });
}

/** On its standard output, which is no log, the gateway tells the operator the demo member's password once. */
function isForOperator(line: string): boolean {
  return line.startsWith('Sign in as demo with password ');
}

function formsOf(kind: SecretKind, value: string): string[] {
  // A number without its country code is as good as with it.
  const spoken = kind === 'number' ? value.replace(/^\+86/, '').replace(/[ ()-]/g, '') : value;
  return [...new Set([spoken, encodeURIComponent(spoken), JSON.stringify(spoken).slice(1, -1)])];
}

function holds(line: string, kind: SecretKind, form: string): boolean {
  // Six digits also occur inside longer figures.
  return kind === 'code' ? new RegExp(`(?<![\\d.])${form}(?![\\d.])`).test(line) : line.includes(form);
}

/** Without the fields that are figures of every line and may look like a code by chance. */
function withoutFigures(line: string): string {
  return line.replace(/"(?:time|pid|responseTime|port|ms)":[\d.]+/g, '');
}
