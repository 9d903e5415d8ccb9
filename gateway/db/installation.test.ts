import { createTestDatabase, type TestDatabase } from '../testing/testDatabase';
import { openInstallation } from './installation';

describe('the installation', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it('is made once, also by gateways that start together', async () => {
    const first = await Promise.all(Array.from({ length: 8 }, () => openInstallation(database.db)));

    const later = await openInstallation(database.db);

    expect(later.hmacKey).toHaveLength(32);
    expect(first).toEqual(first.map(() => later));
  });
});
