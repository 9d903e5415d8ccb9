import type { OperatorCommand } from '../operator/command';
import type { TestApp } from './buildTestApp';

/** Runs an operator's command on the app's own database and services; what it said, line by line. */
export async function runCommand(
  test: TestApp,
  command: OperatorCommand,
  options: Parameters<OperatorCommand['run']>[1],
): Promise<string[]> {
  const lines: string[] = [];
  await command.run(
    { db: test.db, services: () => Promise.resolve(test.services), operator: 'tester', say: (line) => lines.push(line) },
    options,
  );
  return lines;
}
