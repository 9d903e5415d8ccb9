import { checkInvariants, type InvariantResult } from './domains/ledger/invariants';
import { runProgram, say, withOperatorDatabase } from './operatorDatabase';

/** Checks every invariant of the books on the live database and prints each; the exit code is 1 on any breach. */
async function main(): Promise<void> {
  await withOperatorDatabase('verify', async ({ db }) => {
    const results = await checkInvariants(db);
    for (const result of results) say(lineOf(result));
    const broken = results.filter((result) => result.breaches.length > 0);
    say(
      broken.length === 0
        ? `All ${results.length} invariants hold.`
        : `${broken.length} of ${results.length} invariants are broken.`,
    );
    process.exitCode = broken.length === 0 ? 0 : 1;
  });
}

function lineOf({ name, rows, breaches }: InvariantResult): string {
  const first = breaches.slice(0, 10).join(', ');
  return breaches.length === 0
    ? `ok      ${name} (${rows} rows)`
    : `BROKEN  ${name} (${rows} rows): ${breaches.length} breaches, ${first}`;
}

runProgram(main);
