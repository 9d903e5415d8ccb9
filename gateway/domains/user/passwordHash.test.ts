import * as argon2 from '@node-rs/argon2';
import { createPasswordHasher } from './passwordHash';

jest.mock('@node-rs/argon2', () => {
  const real = jest.requireActual<typeof argon2>('@node-rs/argon2');
  return { ...real, verify: jest.fn(real.verify) };
});

describe('the password hasher', () => {
  it('makes Argon2id hashes of the agreed cost, each with its own salt', async () => {
    const { hashPassword, verifyPassword } = createPasswordHasher();

    const [first, second] = await Promise.all([hashPassword('Learn-by-doing-7'), hashPassword('Learn-by-doing-7')]);

    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(first).not.toBe(second);
    expect(await verifyPassword(first, 'Learn-by-doing-7')).toBe(true);
    expect(await verifyPassword(first, 'learn-by-doing-7')).toBe(false);
  });

  it('refuses every password of an account that does not exist, after the same work', async () => {
    const { verifyPassword } = createPasswordHasher();
    jest.mocked(argon2.verify).mockClear();

    expect(await verifyPassword(null, 'Learn-by-doing-7')).toBe(false);
    expect(await verifyPassword(null, '')).toBe(false);

    expect(argon2.verify).toHaveBeenCalledTimes(2);
    expect(argon2.verify).toHaveBeenCalledWith(expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/), 'Learn-by-doing-7');
  });

  it('answers all in order of arrival with one hash at a time, and goes on after a failure', async () => {
    const { hashPassword, verifyPassword } = createPasswordHasher({ maxConcurrent: 1 });
    const finished: string[] = [];

    const work = ['a', 'b', 'c'].map((name) => hashPassword(name).then(() => finished.push(name)));
    await expect(verifyPassword('not a hash', 'x')).rejects.toThrow();
    await Promise.all(work);

    expect(finished).toEqual(['a', 'b', 'c']);
    expect(await hashPassword('d')).toMatch(/^\$argon2id/);
  });

  it('sends callers away once two hundred wait', async () => {
    const { hashPassword } = createPasswordHasher({ maxConcurrent: 1 });

    const outcomes = await Promise.allSettled(Array.from({ length: 203 }, () => hashPassword('x')));

    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused).toHaveLength(2);
    expect(refused[0]).toMatchObject({ reason: { error: 'UNAVAILABLE' } });
  }, 60_000);
});
