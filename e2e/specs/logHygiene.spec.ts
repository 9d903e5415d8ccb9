import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { type KeptLog, LOG_FOLDER } from '../gateway';
import { findLeaks, type Secret, type SecretKind } from '../secrets';

/** What every gateway of the suite wrote at LOG_LEVEL=debug, with what was typed and sent there. */
function readKept(): KeptLog[] {
  return readdirSync(LOG_FOLDER).map((name) => JSON.parse(readFileSync(join(LOG_FOLDER, name), 'utf8')) as KeptLog);
}

test('after the browser suite, no password, code, cookie or full phone number stands in any log', () => {
  const kept = readKept();

  const kinds = new Set<SecretKind>(kept.flatMap(({ secrets }) => secrets.map(({ kind }) => kind)));
  expect([...kinds]).toEqual(expect.arrayContaining(['password', 'code', 'cookie', 'number']));
  expect(kept.filter(({ log, secrets }) => log === '' || secrets.length === 0)).toEqual([]);
  expect(kept.flatMap(({ log, secrets }) => findLeaks(log, secrets))).toEqual([]);
});

test.describe('the search for secrets in logs', () => {
  const secrets: Secret[] = [
    { kind: 'password', value: 'bench "lamp" shelf' },
    { kind: 'number', value: '+8613812345678' },
    { kind: 'code', value: '123456' },
    { kind: 'cookie', value: 'aGVsbG8' },
  ];

  for (const line of [
    '{"level":30,"msg":"typed bench \\"lamp\\" shelf"}',
    '{"url":"/x?password=bench%20%22lamp%22%20shelf"}',
    '{"mobile":"13812345678"}',
    '{"to":"+8613812345678"}',
    '{"code":"123456"}',
    'code 123456 sent',
    '{"headers":"atelier=aGVsbG8"}',
  ]) {
    test(`finds one in ${line}`, () => {
      const leaks = findLeaks(`{"level":30}\n${line}\n`, secrets);

      expect(leaks).toHaveLength(1);
      for (const { value } of secrets) expect(leaks[0]).not.toContain(value);
    });
  }

  for (const line of [
    '{"time":123456,"pid":123456,"responseTime":0.123456}',
    '{"mobilePhone":"138****5678"}',
    '{"at":"2026-11-21T05:00:00.123456Z"}',
    '{"amountMicro":"91234567"}',
  ]) {
    test(`takes no offence at ${line}`, () => {
      expect(findLeaks(line, secrets)).toEqual([]);
    });
  }
});
