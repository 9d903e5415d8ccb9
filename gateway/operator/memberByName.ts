import type { Db } from '../db/client';
import { findByUsername } from '../domains/user/user.repository';
import { CommandRefused } from './command';

/** The id of the member an operator names. Throws `CommandRefused`. */
export async function memberByName(db: Db, username: string): Promise<string> {
  const member = await findByUsername(db, username);
  if (!member) throw new CommandRefused(`There is no member ${username}.`);
  return member.id;
}
