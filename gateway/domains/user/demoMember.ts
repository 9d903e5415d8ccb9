import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { limits } from '../../contract/limits';
import { type Db, inTransaction } from '../../db/client';
import { microFromDcu } from '../../dcu';
import { StartRefused } from '../../startRefused';
import type { LedgerService } from '../ledger/ledger.service';
import { createPasswordHasher } from './passwordHash';
import { insertMember } from './user.repository';

export interface DemoAccount {
  username: string;
  /** Only where it was just made; later it is in the file alone. */
  password: string | null;
  file: string;
}

const USERNAME = 'demo';
/** The operator's well-known test number, which is nobody's own. */
const MOBILE = '+8619900000000';
const PASSWORD_BYTES = 12;
const GIFT_MICRO = microFromDcu('100');

interface Deps {
  db: Db;
  ledger: Pick<LedgerService, 'openWallet' | 'grantDcu'>;
  config: { dataDir: string; demoPassword: string | null };
}

/**
 * Makes the demo member of an installation that has no member yet; null where others came first. Its password goes to
 * `demo-account.txt`, before the account stands, so that no start that is cut short loses it. Throws `StartRefused`.
 */
export async function ensureDemoMember({ db, ledger, config }: Deps): Promise<DemoAccount | null> {
  const file = join(config.dataDir, 'demo-account.txt');
  const first = await db.selectFrom('member').select('username').orderBy('createdAt').limit(1).executeTakeFirst();
  if (first) return first.username === USERNAME ? { username: USERNAME, password: null, file } : null;

  const password = config.demoPassword ?? randomBytes(PASSWORD_BYTES).toString('base64url');
  const { min, max } = limits.password;
  if (password.length < min || password.length > max)
    throw new StartRefused(`DEMO_PASSWORD must have ${min} to ${max} characters.`);
  await writeFile(file, `username: ${USERNAME}\npassword: ${password}\n`, { mode: 0o600 });
  const passwordHash = await createPasswordHasher().hashPassword(password);
  await inTransaction(db, async (tx) => {
    const memberId = uuidv7();
    const member = { id: memberId, username: USERNAME, passwordHash, mobile: MOBILE, email: null, source: null, eventCode: null };
    if ((await insertMember(tx, member)) !== 'added') return;
    await ledger.openWallet(tx, memberId);
    await ledger.grantDcu(tx, {
      memberId,
      micro: GIFT_MICRO,
      kind: 'gift',
      source: 'gift',
      expiresAt: null,
      idemKey: 'gift:demo',
      refType: 'member',
      refId: memberId,
      note: 'demo member',
    });
  });
  return { username: USERNAME, password, file };
}

/** True while at most one member exists beside the demo member. */
export async function isAlone(db: Db): Promise<boolean> {
  const others = await db.selectFrom('member').select('id').where('username', '<>', USERNAME).limit(2).execute();
  return others.length < 2;
}
