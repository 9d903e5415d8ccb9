import { CamelCasePlugin, type CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import { createPool, type Db } from '../db/client';
import type { Database } from '../db/schema';

/** The one statement a repository function sends, with its parameters. */
export async function captured(url: string, send: (db: Db) => Promise<unknown>): Promise<CompiledQuery> {
  const queries: CompiledQuery[] = [];
  const db: Db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: createPool(url, { max: 1 }) }),
    plugins: [new CamelCasePlugin()],
    log: (event) => {
      queries.push(event.query);
    },
  });
  try {
    await send(db);
  } finally {
    await db.destroy();
  }
  const [query] = queries;
  if (!query || queries.length !== 1) throw new Error(`expected one statement and saw ${queries.length}`);
  return query;
}
