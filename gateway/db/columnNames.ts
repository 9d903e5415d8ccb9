import { CamelCasePlugin, type UnknownRow } from 'kysely';

/** Columns whose JSON is keyed by names that people chose: those are not ours to spell otherwise. */
const KEPT = 'env';

/** snake_case in the database, camelCase in the code, but for the variables of a workshop: `WANDB_MODE` stays what it is. */
export class ColumnNames extends CamelCasePlugin {
  protected override mapRow(row: UnknownRow): UnknownRow {
    const mapped = super.mapRow(row);
    return KEPT in row ? { ...mapped, [KEPT]: row[KEPT] } : mapped;
  }
}
