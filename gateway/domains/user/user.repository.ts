import type { Db, Tx } from '../../db/client';

export interface NewMember {
  id: string;
  username: string;
  passwordHash: string;
  mobile: string;
  email: string | null;
  source: string | null;
  eventCode: string | null;
}

export interface Credentials {
  id: string;
  passwordHash: string;
}

/** Adds a member unless somebody has the number or the name; waits for a registration of either that is under way. */
export async function insertMember(tx: Tx, member: NewMember): Promise<'added' | 'mobileTaken' | 'usernameTaken'> {
  const added = await tx
    .insertInto('member')
    .values(member)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (added) return 'added';
  return (await findByMobile(tx, member.mobile)) ? 'mobileTaken' : 'usernameTaken';
}

export function findByMobile(db: Db | Tx, mobile: string): Promise<Credentials | undefined> {
  return db.selectFrom('member').select(['id', 'passwordHash']).where('mobile', '=', mobile).executeTakeFirst();
}

export function findByUsername(db: Db | Tx, username: string): Promise<Credentials | undefined> {
  return db
    .selectFrom('member')
    .select(['id', 'passwordHash'])
    .where('usernameKey', '=', username.toLowerCase())
    .executeTakeFirst();
}

export function getMember(db: Db, id: string) {
  return db
    .selectFrom('member')
    .select(['id', 'username', 'mobile', 'isRealName', 'isStudent'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}
