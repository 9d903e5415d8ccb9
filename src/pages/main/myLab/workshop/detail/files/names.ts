export const pathIn = (folder: string, name: string) => (folder === '' ? name : `${folder}/${name}`);

const UNSEEN = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const LONGEST_BYTES = 255;

/** A name as it can be read: what nobody would see, or what turns the rest around, in its number. */
export function readableName(name: string): string {
  return name.replace(UNSEEN, (letter) => `\\u${(letter.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`);
}

/** Whether the gateway takes it as the name of something new. */
export function isNameFit(name: string): boolean {
  const isPlain = name.trim() !== '' && name !== '.' && name !== '..' && !name.includes('/') && !name.match(UNSEEN);
  return isPlain && new Blob([name]).size <= LONGEST_BYTES;
}
