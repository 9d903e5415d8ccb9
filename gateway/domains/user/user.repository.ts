import { type Db, planKept, type Tx } from '../../db/client';

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

/** The account of a number, held until the transaction ends against sign-ins by password and other changes of it. */
export function lockByMobile(tx: Tx, mobile: string) {
  return tx
    .selectFrom('member')
    .select(['id', 'username', 'email'])
    .where('mobile', '=', mobile)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** True while the account has this very hash, which then stays until the transaction ends. */
export async function isPasswordStill(tx: Tx, { id, passwordHash }: Credentials): Promise<boolean> {
  const member = await tx.selectFrom('member').select('passwordHash').where('id', '=', id).forShare().executeTakeFirst();
  return member?.passwordHash === passwordHash;
}

export async function setPassword(tx: Tx, { id, passwordHash }: Credentials): Promise<void> {
  await tx.updateTable('member').set({ passwordHash }).where('id', '=', id).execute();
}

export function getMember(db: Db | Tx, id: string) {
  return db
    .selectFrom('member')
    .modifyFront(planKept)
    .select(['id', 'username', 'passwordHash', 'mobile', 'email', 'isRealName', 'isStudent'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}
