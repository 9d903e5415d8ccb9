import { v4 as uuidv4 } from 'uuid';
import type { ObjectKey } from './objectStorage';

const KEY = /^[a-z]{1,32}\/[0-9a-f]{2}\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A new key; random, so that objects spread evenly over the folders. */
export function newObjectKey(kind: string): ObjectKey {
  const id = uuidv4();
  return `${kind}/${id.slice(0, 2)}/${id}`;
}

/** What was stored as a key. Throws `RangeError` for anything else, whatever a database says. */
export function objectKeyOf(text: string): ObjectKey {
  if (!KEY.test(text)) throw new RangeError(`${JSON.stringify(text)} is no object key`);
  return text as ObjectKey;
}
