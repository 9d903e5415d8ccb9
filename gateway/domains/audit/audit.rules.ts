const LONGEST = { actor: 64, subject: 128, ip: 64, userAgent: 256, note: 500 } as const;

/** What may be a subject as it was typed: an id of ours. Anything else a caller wrote stays out of the table. */
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The id at `path` (`body.workshopId`, `data.user.userId`) of what was asked or answered; null when there is none. */
export function subjectAt(path: string, parts: Readonly<Record<'body' | 'data', unknown>>): string | null {
  const found = path.split('.').reduce<unknown>((value, name) => Object(value)[name], parts);
  return typeof found === 'string' && ID.test(found) ? found.toLowerCase() : null;
}

/** Text as it may be kept: no phone number or mail address in full, nothing a column cannot hold, not too long. Empty text is null. */
export function keptText(text: string | null | undefined, part: keyof typeof LONGEST): string | null {
  const plain = (text ?? '').replaceAll('\0', '');
  const isWritten = part === 'note' || (part === 'subject' && !ID.test(plain));
  return (isWritten ? masked(plain) : plain).slice(0, LONGEST[part]) || null;
}

/** Phone numbers however they are grouped, and the name of a mail address. */
function masked(text: string): string {
  return text
    .replace(/\+?\d(?:[ ().-]{0,3}\d){8,}/g, (number) => {
      const digits = number.replace(/\D/g, '');
      return `${digits.slice(0, 3)}****${digits.slice(-4)}`;
    })
    .replace(/[^\s@<>]{1,64}@(?=[^\s@]+\.[^\s@])/g, '***@');
}
