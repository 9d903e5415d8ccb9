import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { limits } from '../../contract/limits';
import type { Db, Tx } from '../../db/client';
import type { CaptchaScene } from '../../drivers/sms/smsSender';
import { CODES_PER_IP_AND_HOUR, SENDS_LOOKED_AT } from './verificationCode.rules';

/** Sends to one number, and sends asked for from one address, are judged one after another; addresses are locked first, always. */
export async function lockSends(tx: Tx, ip: string, mobile: string): Promise<void> {
  for (const name of [`code-ip:${ip}`, `code-mobile:${mobile}`]) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx);
  }
}

export interface EarlierSends {
  toNumber: Date[];
  fromIp: Date[];
}

/** The latest sends to a number within a day and, when an address is given, from it within an hour. */
export async function findSends(tx: Tx, mobile: string, ip: string | null): Promise<EarlierSends> {
  const toNumber = await tx
    .selectFrom('verificationCode')
    .select('createdAt')
    .where('mobile', '=', mobile)
    .where('createdAt', '>', sql<Date>`app_now() - interval '1 day'`)
    .orderBy('createdAt', 'desc')
    .limit(SENDS_LOOKED_AT)
    .execute();
  const fromIp = ip
    ? await tx
        .selectFrom('verificationCode')
        .select('createdAt')
        .where('ip', '=', ip)
        .where('createdAt', '>', sql<Date>`app_now() - interval '1 hour'`)
        .orderBy('createdAt', 'desc')
        .limit(CODES_PER_IP_AND_HOUR)
        .execute()
    : [];
  return { toNumber: toNumber.map((row) => row.createdAt), fromIp: fromIp.map((row) => row.createdAt) };
}

/** Counts one text against today's budget in one statement; false when it is spent. */
export async function spendBudget(tx: Tx, budget: number): Promise<boolean> {
  if (budget < 1) return false;
  const { rows } = await sql`
    insert into sms_budget (day, sent) values (app_now()::date, 1)
    on conflict (day) do update set sent = sms_budget.sent + 1 where sms_budget.sent < ${budget}
    returning sent`.execute(tx);
  return rows.length === 1;
}

/** Puts a code in force for a number and scene; the one before it is void from here on. */
export async function replaceCode(
  tx: Tx,
  code: { mobile: string; scene: CaptchaScene; codeHash: Buffer; ip: string },
): Promise<string> {
  await tx
    .updateTable('verificationCode')
    .set({ voidedAt: sql<Date>`app_now()` })
    .where('mobile', '=', code.mobile)
    .where('scene', '=', code.scene)
    .where('usedAt', 'is', null)
    .where('voidedAt', 'is', null)
    .execute();
  const id = uuidv7();
  await tx
    .insertInto('verificationCode')
    .values({
      ...code,
      id,
      triesLeft: limits.captcha.tries,
      createdAt: sql<Date>`app_now()`,
      expiresAt: sql<Date>`app_now() + make_interval(secs => ${limits.captcha.ttlSeconds})`,
    })
    .execute();
  return id;
}

/** Takes back a code whose text could not be sent, so that it counts against no limit of the number. */
export async function deleteCode(db: Db, id: string): Promise<void> {
  await db.deleteFrom('verificationCode').where('id', '=', id).execute();
}

/** True while some code could be tried: spares the costly part of a call that cannot succeed. */
export async function isCodeInForce(db: Db, mobile: string, scene: CaptchaScene): Promise<boolean> {
  const row = await db
    .selectFrom('verificationCode')
    .select('id')
    .where('mobile', '=', mobile)
    .where('scene', '=', scene)
    .where('usedAt', 'is', null)
    .where('voidedAt', 'is', null)
    .where('expiresAt', '>', sql<Date>`app_now()`)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Tries a code in ONE UPDATE: the right one is used up, a wrong one costs a try and the last try voids the code. Parallel tries
 * queue on the row, so neither a sixth try nor a second use slips through.
 */
export async function tryCode(tx: Tx, mobile: string, scene: CaptchaScene, codeHash: Buffer): Promise<boolean> {
  const { rows } = await sql<{ isRight: boolean }>`
    update verification_code set
      used_at = case when code_hash = ${codeHash} then app_now() end,
      tries_left = tries_left - case when code_hash = ${codeHash} then 0 else 1 end,
      voided_at = case when code_hash <> ${codeHash} and tries_left = 1 then app_now() end
    where mobile = ${mobile} and scene = ${scene} and used_at is null and voided_at is null
      and expires_at > app_now() and tries_left > 0
    returning used_at is not null as is_right`.execute(tx);
  return rows[0]?.isRight ?? false;
}

/** Removes codes and budgets that no limit looks at any longer; returns how many codes. */
export async function deleteOldCodes(db: Db): Promise<number> {
  await sql`delete from sms_budget where day < app_now()::date - 7`.execute(db);
  const deleted = await db
    .deleteFrom('verificationCode')
    .where('createdAt', '<', sql<Date>`app_now() - interval '2 days'`)
    .executeTakeFirst();
  return Number(deleted.numDeletedRows);
}
