import type { Calls } from '../../gateway/contract/calls';
import { errors } from '../../gateway/contract/errors';
import { type E2eGateway, expect, test } from '../gateway';
import type { MemberClient } from '../memberClient';
import { findSupervisor, readJournaledRunningMs } from '../supervisor';

type Workshop = Calls['GET /gateway/workshop/get']['data'];

const ROUNDS = process.env.ATELIER_DEEP ? 100 : 10;
const SETTLE_LIMIT_MS = 20_000;
/** Between what the test sees and what the engine knows lie a poll, a journal line and a busy machine. */
const SEEING_MS = 3_000;

/** A member with one running lab. */
async function startLab(gateway: E2eGateway, nth: number): Promise<{ member: MemberClient; workshopId: string }> {
  const member = gateway.newMember();
  await member.register(`crash_${nth}`, `+8613900000${String(nth).padStart(3, '0')}`);
  const { list } = await member.call('GET /gateway/workshop/cpuSpec');
  const spec = list.find((candidate) => candidate.isAvailable && candidate.isAllowed);
  if (!spec) throw new Error('no spec is offered');
  const { tree } = await member.call('GET /gateway/image/basicTree');
  const image = tree
    .flatMap((framework) => framework.versions.flatMap((version) => version.variants))
    .find((variant) => variant.isAvailable);
  if (!image) throw new Error('no image is offered');
  const body = { name: `Lab ${nth}`, specId: spec.specId, imageId: image.imageId, startNow: true };
  const { workshopId } = await member.call('POST /gateway/workshop/create', { body });
  await inState(member, workshopId, 'RUNNING');
  return { member, workshopId };
}

async function inState(member: MemberClient, workshopId: string, ...states: Workshop['state'][]): Promise<Workshop> {
  let seen: Workshop | undefined;
  await expect
    .poll(
      async () => {
        const { envelope } = await member.send('GET /gateway/workshop/get', { query: { workshopId } });
        if (envelope.success && envelope.data) seen = envelope.data;
        // A gateway that has just started may say that it has too much to do: trying again is safe.
        else if (envelope.code !== errors.UNAVAILABLE.code) throw new Error(`refused: ${envelope.code} ${envelope.msg}`);
        return envelope.success ? seen?.state : 'not yet';
      },
      { timeout: SETTLE_LIMIT_MS, intervals: [100] },
    )
    .toMatch(new RegExp(`^(${states.join('|')})$`));
  if (!seen) throw new Error('the workshop was never seen');
  return seen;
}

/** What a run must cost: whole micro-DCU of its observed milliseconds, never more. */
function costOf(runningMs: number, dcuPerHour: number): number {
  return Math.floor((Math.round(dcuPerHour * 1e6) * runningMs) / 3_600_000) / 1e6;
}

async function expectBooksToAgree(gateway: E2eGateway, member: MemberClient): Promise<void> {
  const { list } = await member.call('POST /gateway/dcuChange/pageFind', { body: { pageSize: 100 } });
  const sumMicro = list.reduce((sum, change) => sum + Math.round(change.amountDcu * 1e6), 0);
  const { remainDcu } = await member.call('GET /gateway/account/remainDcu');
  expect(sumMicro).toBe(Math.round(remainDcu * 1e6));
  const { exitCode, output } = await gateway.runVerify();
  expect(exitCode, output).toBe(0);
}

test('labs run on through kill -9 of the gateway and are billed for their observed life', async ({ gateway }, testInfo) => {
  test.setTimeout(60_000 + ROUNDS * 15_000);
  const steady = await startLab(gateway, 1);
  const busy = await startLab(gateway, 2);
  const first = await inState(steady.member, steady.workshopId, 'RUNNING');
  const seenAt = performance.now();
  for (let round = 0; round < ROUNDS; round += 1) {
    const delayMs = Math.random() * 1_500;
    testInfo.annotations.push({ type: 'kill', description: `round ${round} after ${Math.round(delayMs)} ms` });
    // Whatever this asks for may be cut off anywhere; the books must stand all the same.
    const asked = busy.member
      .send(round % 2 === 0 ? 'POST /gateway/workshop/stop' : 'POST /gateway/workshop/start', {
        body: { workshopId: busy.workshopId },
      })
      .catch((error: Error) => error);
    await new Promise((wake) => setTimeout(wake, delayMs));
    await gateway.kill9();
    await asked;
    await gateway.restart();
    const adopted = await inState(steady.member, steady.workshopId, 'RUNNING');
    expect(adopted.session?.sessionId).toBe(first.session?.sessionId);
    await inState(busy.member, busy.workshopId, 'RUNNING', 'STOPPED');
  }
  const livedMs = performance.now() - seenAt;
  await steady.member.call('POST /gateway/workshop/stop', { body: { workshopId: steady.workshopId } });
  const ended = await inState(steady.member, steady.workshopId, 'STOPPED');
  const billedMs = (ended.lastSession?.runningMs ?? 0) - (first.session?.runningMs ?? 0);
  expect(Math.abs(billedMs - livedMs)).toBeLessThan(SEEING_MS);
  expect(ended.lastSession?.costDcu).toBe(costOf(ended.lastSession?.runningMs ?? 0, ended.spec.dcuPerHour));
  expect(ended.lastSession?.stopReason).toBe('MEMBER');
  const { state } = await inState(busy.member, busy.workshopId, 'RUNNING', 'STOPPED');
  if (state === 'RUNNING') await busy.member.call('POST /gateway/workshop/stop', { body: { workshopId: busy.workshopId } });
  await inState(busy.member, busy.workshopId, 'STOPPED');
  await expectBooksToAgree(gateway, steady.member);
  await expectBooksToAgree(gateway, busy.member);
});

test('kill -9 of the supervisor ends its labs, billed to the last line of its journal', async ({ gateway }) => {
  const { member, workshopId } = await startLab(gateway, 1);
  await expect
    .poll(() => [...readJournaledRunningMs(gateway.dataDir).values()].some((runningMs) => runningMs > 1_000), {
      timeout: SETTLE_LIMIT_MS,
    })
    .toBe(true);
  const pid = findSupervisor(gateway.dataDir);
  if (pid === null) throw new Error('no supervisor runs');

  // Held still, so that the last line read is the last line written.
  process.kill(pid, 'SIGSTOP');
  const [journaledMs] = readJournaledRunningMs(gateway.dataDir).values();
  process.kill(pid, 'SIGKILL');

  const ended = await inState(member, workshopId, 'STOPPED', 'FAILED');
  expect(ended.lastSession?.runningMs).toBe(journaledMs);
  expect(ended.lastSession?.costDcu).toBe(costOf(journaledMs ?? 0, ended.spec.dcuPerHour));
  await expectBooksToAgree(gateway, member);

  await member.call('POST /gateway/workshop/start', { body: { workshopId } });
  await inState(member, workshopId, 'RUNNING');
  await member.call('POST /gateway/workshop/stop', { body: { workshopId } });
  await inState(member, workshopId, 'STOPPED');
});
