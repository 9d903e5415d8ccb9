import type { QueryResult, UnknownRow } from 'kysely';
import { ColumnNames } from './columnNames';

async function read(row: UnknownRow): Promise<UnknownRow | undefined> {
  const result: QueryResult<UnknownRow> = { rows: [row] };
  const { rows } = await new ColumnNames().transformResult({ result, queryId: { queryId: 'q' } });
  return rows[0];
}

describe('the names of columns', () => {
  it('are camelCase in the code, in JSON made of rows too', async () => {
    expect(await read({ max_hours: 1, lines: [{ price_fen: 2 }] })).toEqual({ maxHours: 1, lines: [{ priceFen: 2 }] });
  });

  it('leave the variables of a workshop as they were set, also in what a run kept of it', async () => {
    const env = { WANDB_MODE: 'offline', snake_case: '1' };

    expect(await read({ env, setup: { max_hours: 1, env } })).toEqual({ env, setup: { maxHours: 1, env } });
  });
});
