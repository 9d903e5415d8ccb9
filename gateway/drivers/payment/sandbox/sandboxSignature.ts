import { generateKeyPairSync, sign, verify } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { NoticeUnbelievable } from '../paymentProvider';

/** A notice older (or newer) than this was not sent just now: its signature is as good as none. */
const MOST_AGE_MS = 300_000;

const TIMESTAMP = 'sandbox-timestamp';
const SIGNATURE = 'sandbox-signature';

export interface KeyPair {
  privateKey: string;
  publicKey: string;
}

export function createKeyPair(): KeyPair {
  return generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
}

/** The headers that prove these very bytes to come from who holds the key, now. */
export function signNotice(rawBody: Buffer, privateKey: string, nowMs: number): Record<string, string> {
  const timestamp = String(nowMs);
  return { [TIMESTAMP]: timestamp, [SIGNATURE]: sign(null, signed(timestamp, rawBody), privateKey).toString('base64') };
}

/** Throws `NoticeUnbelievable` unless the bytes were signed with the key's other half within the last minutes. */
export function requireSigned(rawBody: Buffer, headers: IncomingHttpHeaders, publicKey: string, nowMs: number): void {
  const { [TIMESTAMP]: timestamp, [SIGNATURE]: signature } = headers;
  if (typeof timestamp !== 'string' || typeof signature !== 'string' || !/^\d{1,15}$/.test(timestamp)) {
    throw new NoticeUnbelievable('the notice is not signed');
  }
  if (!verify(null, signed(timestamp, rawBody), publicKey, Buffer.from(signature, 'base64'))) {
    throw new NoticeUnbelievable('the signature does not hold');
  }
  if (Math.abs(nowMs - Number(timestamp)) > MOST_AGE_MS) throw new NoticeUnbelievable('the notice is too old');
}

function signed(timestamp: string, rawBody: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${timestamp}.`), rawBody]);
}
