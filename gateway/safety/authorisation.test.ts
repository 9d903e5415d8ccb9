import type { TSchema } from '@sinclair/typebox';
import { type Calls, calls } from '../contract/calls';
import type { CallContract } from '../contract/contract';
import { buildTestApp, type TestApp } from '../testing/buildTestApp';
import type { TestMember } from '../testing/factories';
import { readFingerprint } from '../testing/fingerprint';
import type { TestInput, TestReply } from '../testing/testClient';
import { advance, setTestNow } from '../testing/testDatabase';
import { callRows } from './callRows';
import { createWorld, NOBODYS_ID, replaceAt, type World } from './world';

type Key = keyof Calls;
const keys = Object.keys(calls) as Key[];
const contractOf = (key: Key): CallContract => calls[key];
const memberKeys = keys.filter((key) => contractOf(key).access === 'member');
/** Each place of an id in each call, with what it names. */
const places = keys.flatMap((key) => Object.entries(callRows[key].ids ?? {}).map(([place, kind]) => ({ key, place, kind })));

/** An answer without what differs from one to the next by its nature. */
function bare({ status, envelope, headers }: TestReply) {
  const { date: _, ...others } = headers;
  const { traceId: _trace, ...body } = envelope;
  return { status, body, headers: others };
}

describe('every call', () => {
  let test: TestApp;
  let world: World;
  beforeAll(async () => {
    test = await buildTestApp();
    // What was seen a minute ago is no change.
    await advance(test.db, 0);
  });
  beforeEach(async () => {
    world = await createWorld(test);
  });
  afterAll(() => test.close());

  const send = (key: Key, member: TestMember | null, input: TestInput) => test.as(member).send(key, input);

  async function expectNothingWritten<T>(work: () => Promise<T>): Promise<T> {
    const before = await readFingerprint(test.pool);
    const result = await work();
    expect(await readFingerprint(test.pool)).toEqual(before);
    return result;
  }

  it.each(keys)('succeeds for whom it is meant: %s', async (key) => {
    const input = await callRows[key].input(world, world.owner);

    const reply = await send(key, contractOf(key).access === 'member' ? world.owner : null, input);

    expect(reply.envelope).toMatchObject({ success: true, code: 0 });
  });

  it.each(memberKeys)('for members refuses a visitor, a half and a forged session, and writes nothing: %s', async (key) => {
    const { owner } = world;
    const input = await callRows[key].input(world, owner);

    await expectNothingWritten(async () => {
      for (const cookie of [
        '',
        `sessionId=${owner.loginSessionId}`,
        `sessionId=${owner.loginSessionId}; atelier=${world.stranger.loginSecret}`,
      ]) {
        for (const sent of [input, { query: { nobody: 'knows' }, body: [] }]) {
          const reply = await send(key, null, { ...sent, headers: { cookie, 'idempotency-key': 'visitor-key' } });
          expect(reply).toFailWith('UNAUTHORIZED');
          expect(reply.envelope.data).toBeNull();
        }
      }
    });
  });

  it.each(places.filter(({ kind }) => kind !== 'free'))(
    'answers for another’s $place as for a missing and a deleted one, and leaves the owner’s rows alone: $key',
    async ({ key, place, kind }) => {
      if (kind === 'free') return;
      const { owner, stranger } = world;
      const input = await callRows[key].input(world, stranger);
      const foreign = await world.makeInEachState(kind, owner);
      const ids = {
        ...{ missing: NOBODYS_ID, gone: await world.makeDeleted(kind, owner), shouted: foreign[kind]?.toUpperCase() },
        ...foreign,
        // The bills of what one has deleted stay one's own.
        ...(callRows[key].isFilter || callRows[key].isNeverDeleted ? {} : { ownGone: await world.makeDeleted(kind, stranger) }),
      };

      const answers = await expectNothingWritten(async () => {
        const asked: Record<string, ReturnType<typeof bare>> = {};
        for (const [name, id] of Object.entries(ids)) asked[name] = bare(await send(key, stranger, replaceAt(input, place, id)));
        return asked;
      });

      const { missing } = answers;
      // A file without lines still has its heading.
      const nothing = contractOf(key).stream === undefined ? { list: [], total: 0 } : expect.stringMatching(/^[^\n]+\n$/);
      if (callRows[key].isFilter) expect(missing?.body).toMatchObject({ success: true, data: nothing });
      else expect(missing).toMatchObject({ status: 404, body: { success: false, code: 20004, data: null } });
      expect(answers).toEqual(Object.fromEntries(Object.keys(ids).map((name) => [name, missing])));
    },
  );

  it.each(memberKeys.filter((key) => contractOf(key).audited))('shows a member nothing of another’s: %s', async (key) => {
    const { owner, stranger } = world;
    const workshopIds = [await world.make('runningWorkshop', owner), await world.make('stoppedWorkshop', owner)];
    const { rows } = await test.pool.query<{ id: string }>('select id::text from lab_session where member_id = $1', [
      owner.memberId,
    ]);
    const input = await callRows[key].input(world, stranger);

    const reply = await send(key, stranger, input);

    expect(reply.envelope.success).toBe(true);
    const answer = JSON.stringify(reply.envelope);
    const ids = [owner.memberId, owner.loginSessionId, ...workshopIds, ...rows.map(({ id }) => id)];
    // The names of the owner's workshops end like their ids.
    const owned = [owner.username, owner.mobile.slice(3), ...ids.map((id) => id.slice(-12))];
    for (const word of owned) expect(answer).not.toContain(word);
  });

  it.each(memberKeys.filter((key) => !contractOf(key).audited && !callRows[key].isOwnChange))(
    'counts nothing of another’s, whatever they do: %s',
    async (key) => {
      const { owner, stranger } = world;
      const ownId = await world.make('billedWorkshop', stranger);
      // A running lab of the stranger's own would be metered meanwhile.
      const { isOwnContent, ids = {} } = callRows[key];
      let input = await callRows[key].input(world, isOwnContent ? stranger : owner);
      for (const [place, kind] of Object.entries(isOwnContent ? {} : ids)) {
        const isWorkshop = kind !== 'free' && kind.endsWith('Workshop');
        input = replaceAt(input, place, kind === 'free' || isWorkshop ? ownId : await world.make(kind, stranger));
      }
      const at = await advance(test.db, 0);
      const before = bare(await send(key, stranger, input));
      for (const kind of ['billedWorkshop', 'runningWorkshop', 'stoppedWorkshop'] as const) await world.make(kind, owner);
      await setTestNow(test.db, at);

      const after = bare(await send(key, stranger, input));

      expect(before.body).toMatchObject({ success: true });
      expect(after).toEqual(before);
    },
  );

  it.each(keys.filter((key) => contractOf(key).idempotent))(
    'answers another’s Idempotency-Key with nothing of theirs: %s',
    async (key) => {
      const { owner, stranger } = world;
      const headers = { 'idempotency-key': 'the-owners-own-key' };
      const input = await callRows[key].input(world, owner);
      const first = await send(key, owner, { ...input, headers });

      const reply = await send(key, stranger, { ...input, headers });

      expect(first.envelope.success).toBe(true);
      expect(reply.envelope.data).not.toEqual(first.envelope.data);
      expect(JSON.stringify(reply.envelope)).not.toContain(String(Object(first.envelope.data).workshopId));
      expect(await send(key, owner, { ...input, headers })).toMatchObject({ envelope: { data: first.envelope.data } });
    },
  );
});

describe('the rows of the matrix', () => {
  it.each(keys)('say of every id what it names: %s', (key) => {
    const { query, body } = contractOf(key);
    const inContract = [...idPlaces('query', query), ...idPlaces('body', body)];

    expect(Object.keys(callRows[key].ids ?? {}).sort()).toEqual(inContract.sort());
  });

  it('have somebody’s thing in most calls that change one', () => {
    expect(places.filter(({ kind }) => kind !== 'free').length).toBeGreaterThanOrEqual(8);
  });
});

/** An id of something else than the catalogue's, whatever its form. */
const NAMES_A_THING = /\.(?!(spec|image|sku|package|reward)Id$)\w+Ids?(\.0)?$/;

/** Where a schema takes ids, at any depth; an array's are those of its first item. */
function idPlaces(place: string, schema: TSchema | undefined): string[] {
  if (!schema) return [];
  if (schema.type === 'string') return schema.format === 'uuid' || NAMES_A_THING.test(place) ? [place] : [];
  return [
    ...(schema.anyOf ?? []).flatMap((one: TSchema) => idPlaces(place, one)),
    ...Object.entries<TSchema>(schema.properties ?? {}).flatMap(([name, one]) => idPlaces(`${place}.${name}`, one)),
    ...idPlaces(`${place}.0`, schema.items),
  ];
}
