import { v7 as uuidv7 } from 'uuid';
import { buildMember } from '../../testing/factories';
import { advance, createTestDatabase, type TestDatabase } from '../../testing/testDatabase';
import { createMembershipService } from './membership.service';

const DAY_MS = 86_400_000;

describe('getRights', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  async function addPeriod(memberId: string, fromMs: number, toMs: number): Promise<void> {
    await database.db
      .insertInto('membershipPeriod')
      .values({ id: uuidv7(), memberId, packageName: 'Pro', levelFlag: 2, startsAt: new Date(fromMs), endsAt: new Date(toMs) })
      .execute();
  }

  it('follows a member’s own periods and nobody else’s, day by day', async () => {
    const { getRights } = createMembershipService({ db: database.db });
    const [member, other] = [await buildMember(database.db), await buildMember(database.db)];
    const now = (await advance(database.db, 0)).getTime();
    await addPeriod(member.memberId, now + DAY_MS, now + 2 * DAY_MS);
    await addPeriod(member.memberId, now + 2 * DAY_MS, now + 3 * DAY_MS);
    const levels: number[] = [];

    for (let day = 0; day < 4; day += 1) {
      levels.push((await getRights(member.memberId)).levelFlag);
      await advance(database.db, DAY_MS);
    }

    expect(levels).toEqual([0, 2, 2, 0]);
    expect(await getRights(other.memberId)).toEqual({ packageName: '', levelFlag: 0, memberExpirationDate: '' });
  });
});
