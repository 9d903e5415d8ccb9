import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Keeps secrets in the database unreadable to whoever has the database alone: AES-256-GCM under a key made of a password that stands in
 * the settings. What is read for another owner, or after the password changed, is null.
 */
export function createSecretCipher(password: string) {
  const key = Buffer.from(hkdfSync('sha256', password, '', 'atelier registry account', 32));
  return {
    seal(secret: string, owner: string): Buffer {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(owner));
      const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
    },
    open(sealed: Buffer, owner: string): string | null {
      const body = sealed.subarray(NONCE_BYTES + TAG_BYTES);
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES))
          .setAAD(Buffer.from(owner))
          .setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
        return decipher.update(body, undefined, 'utf8') + decipher.final('utf8');
      } catch {
        return null;
      }
    },
  };
}
