import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { hash, type Options, verify } from '@node-rs/argon2';
import { Refusal } from '../../refusal';

/** Argon2id (the library's default kind) at OWASP's first recommendation. */
const COST: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Beyond this many waiting, a caller is better told to come back than kept. */
const MAX_WAITING = 200;

export type PasswordHasher = ReturnType<typeof createPasswordHasher>;

/** Argon2id with at most one hash a core at once, so that a flood of sign-ins slows sign-ins and nothing else. */
export function createPasswordHasher(options: { maxConcurrent?: number } = {}) {
  const limited = createGate(options.maxConcurrent ?? availableParallelism());
  let dummy: Promise<string> | null = null;

  const hashPassword = (password: string): Promise<string> => limited(() => hash(password, COST));

  return {
    /** Refuses with `UNAVAILABLE` when too many hashes wait already. */
    hashPassword,

    /**
     * True when the password made this hash. Without a hash (an account that does not exist) the same work is done on a dummy one and
     * the answer is false, so that both cases take the same time.
     */
    async verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
      dummy ??= hashPassword(randomBytes(32).toString('base64'));
      const against = passwordHash ?? (await dummy);
      const isRight = await limited(() => verify(against, password));
      return isRight && passwordHash !== null;
    },
  };
}

/** Runs at most `max` at once, the rest in order of arrival. */
function createGate(max: number) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= max) {
      if (waiting.length >= MAX_WAITING) throw new Refusal('UNAVAILABLE', { retryAfterSeconds: 2 });
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      // The slot goes straight to the next in line; nobody who arrives now can take it.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
