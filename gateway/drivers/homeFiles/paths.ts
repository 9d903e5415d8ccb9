import { HomeFilesError } from './homeFiles';

const MOST_PARTS = 256;
const MOST_NAME_BYTES = 255;
/** What nobody sees, or what makes a name read otherwise than it is: control characters, line ends, changes of direction. */
const UNSEEN = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
/** What is being written stands under such a name beside its own; it is neither shown nor taken. */
const TEMPORARY = /^\.atelier-[0-9a-f]{16}\.part$/;

export const isTemporary = (name: string) => TEMPORARY.test(name);

/** The parts of a path in a home. Throws NAME_INVALID for anything that could lead out of it. */
export function partsOf(path: string): string[] {
  if (path === '') return [];
  const parts = path.split('/');
  if (parts.length > MOST_PARTS || !parts.every(isName)) throw new HomeFilesError('NAME_INVALID', 'not a path in a home');
  return parts;
}

/** As `partsOf`, for what is going to be made: its last part is a name that people can read. */
export function newPartsOf(path: string): { folder: string[]; name: string } {
  const folder = partsOf(path);
  const name = folder.pop();
  if (name === undefined || UNSEEN.test(name) || isTemporary(name) || name.trim() === '') {
    throw new HomeFilesError('NAME_INVALID', 'not a name for a file');
  }
  return { folder, name };
}

function isName(name: string): boolean {
  if (name === '' || name === '.' || name === '..' || name.includes('\0')) return false;
  return Buffer.byteLength(name) <= MOST_NAME_BYTES;
}

/** `notes.tar.gz` → `notes (2).tar.gz`: what comes after the first dot of an archive, else after the last, stays at the end. */
export function besideName(name: string, number: number): string {
  const { stem = name, ending = '' } = /^(?<stem>.+?)(?<ending>(?:\.tar)?\.[^.\s/]{1,16})?$/su.exec(name)?.groups ?? {};
  const addition = ` (${number})`;
  let kept = stem;
  while (Buffer.byteLength(kept + addition + ending) > MOST_NAME_BYTES) kept = [...kept].slice(0, -1).join('');
  return kept + addition + ending;
}
