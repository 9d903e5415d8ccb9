import { createHash, randomBytes, randomInt } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { LevelFlag } from '../contract/entitlements';
import { type Db, inTransaction, readNow, type Tx } from '../db/client';
import { createLedgerService } from '../domains/ledger/ledger.service';

export interface TestMember {
  memberId: string;
  username: string;
  /** In E.164. */
  mobile: string;
  loginSessionId: string;
  /** The other half of the login session, as the browser's HttpOnly cookie carries it. */
  loginSecret: string;
}

/** The password of every member made here, hashed once, because hashing is slow on purpose. */
export const TEST_PASSWORD = 'Learn-by-doing-7';
const TEST_PASSWORD_HASH = '$argon2id$v=19$m=19456,t=2,p=1$ms6DvqyzrkQs5AzIFv7M7g$R3ZVYFFX/QPEZAA8jEJRXqoHhZrOnqBRpThHlusnlJE';

const YEAR_MS = 365 * 86_400_000;

/** A member with a wallet; without options at level 0 and with 100 DCU. */
export async function buildMember(
  db: Db,
  options: { username?: string; levelFlag?: LevelFlag; remainDcuMicro?: bigint } = {},
): Promise<TestMember> {
  const memberId = uuidv7();
  const loginSessionId = uuidv7();
  const loginSecret = randomBytes(32).toString('base64url');
  const username = options.username ?? `student-${memberId.slice(-12)}`;
  const mobile = `+86139${String(randomInt(100_000_000)).padStart(8, '0')}`;
  await inTransaction(db, async (tx) => {
    await tx
      .insertInto('member')
      .values({ id: memberId, username, passwordHash: TEST_PASSWORD_HASH, mobile, email: null, source: null, eventCode: null })
      .execute();
    await signIn(tx, memberId, loginSessionId, loginSecret);
    if (options.levelFlag) await grantLevel(tx, memberId, options.levelFlag);
    await openWalletWith(db, tx, memberId, options.remainDcuMicro ?? 100_000_000n);
  });
  return { memberId, username, mobile, loginSessionId, loginSecret };
}

async function signIn(tx: Tx, memberId: string, id: string, secret: string): Promise<void> {
  const secretHash = createHash('sha256').update(secret).digest();
  const expiresAt = new Date((await readNow(tx)).getTime() + YEAR_MS);
  const session = { id, memberId, secretHash, isKept: false, ip: '127.0.0.1', userAgent: 'test', expiresAt };
  await tx
    .insertInto('loginSession')
    .values({ ...session, revokedAt: null })
    .execute();
}

async function grantLevel(tx: Tx, memberId: string, levelFlag: LevelFlag): Promise<void> {
  const startsAt = await readNow(tx);
  const endsAt = new Date(startsAt.getTime() + YEAR_MS);
  await tx
    .insertInto('membershipPeriod')
    .values({ id: uuidv7(), memberId, packageName: `Level ${levelFlag}`, levelFlag, startsAt, endsAt })
    .execute();
}

/** Through the books themselves; a new member has no open segments to settle first. */
async function openWalletWith(db: Db, tx: Tx, memberId: string, micro: bigint): Promise<void> {
  const ledger = createLedgerService({ db, settleMember: () => Promise.resolve() });
  await ledger.openWallet(tx, memberId);
  if (micro === 0n) return;
  await ledger.grantDcu(tx, {
    memberId,
    micro,
    kind: 'grant',
    source: 'gift',
    expiresAt: null,
    idemKey: `grant:test:${memberId}`,
    refType: 'member',
    refId: memberId,
  });
}

/** A stopped workshop of a member, on an engine instance that is known from then on. */
export async function buildWorkshop(
  db: Db,
  options: { memberId: string; engineInstanceId: string; name?: string; specId?: string; imageId?: string; maxHours?: number },
): Promise<{ workshopId: string }> {
  const workshopId = uuidv7();
  const { memberId, engineInstanceId, specId = 'cpu-half', imageId = 'shell', maxHours = null } = options;
  await db
    .insertInto('engineInstance')
    .values({ id: engineInstanceId, kind: 'simulated' })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await db
    .insertInto('workshop')
    .values({
      id: workshopId,
      memberId,
      engineInstanceId,
      specId,
      imageId,
      maxHours,
      name: options.name ?? `Workshop ${workshopId.slice(-12)}`,
      failureCode: null,
      failureHint: null,
      isRetryable: null,
    })
    .execute();
  return { workshopId };
}
