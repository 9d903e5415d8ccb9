import { randomInt } from 'node:crypto';
import { type BrowserContext, test as base, expect, type Page } from '@playwright/test';
import { createDb, createPool, type Db } from '../gateway/db/client';
import { startEmbeddedPostgres } from '../gateway/db/embeddedPostgres';
import { buildMember, buildWorkshop, TEST_PASSWORD, type TestMember } from '../gateway/testing/factories';
import { buildFurnished, type Furnished } from './furnished';
import { E2eGateway } from './gateway';
import type { MemberClient } from './memberClient';

type MemberOptions = Parameters<typeof buildMember>[1];

/** One gateway for all tests of a worker, with simulated labs; each test brings members of its own into its database. */
export class SharedGateway {
  private constructor(
    readonly process: E2eGateway,
    readonly db: Db,
  ) {}

  static async start(): Promise<SharedGateway> {
    // A suite in a hurry is no flood.
    const gateway = await E2eGateway.start({ COMPUTE_ENGINE: 'simulated', REQUESTS_PER_SECOND: '0' });
    const postgres = await startEmbeddedPostgres(gateway.dataDir);
    return new SharedGateway(gateway, createDb(createPool(postgres.url('atelier'))));
  }

  get origin(): string {
    return this.process.origin;
  }

  /** A member straight into the books, signed in on a login session of the database; without options at level 0 with 100 DCU. */
  async buildMember(options?: MemberOptions): Promise<TestMember> {
    const member = await buildMember(this.db, options);
    const { secrets } = this.process;
    secrets.add('number', member.mobile);
    secrets.add('password', TEST_PASSWORD);
    for (const value of [member.loginSessionId, member.loginSecret]) secrets.add('cookie', value);
    return member;
  }

  /** A stopped workshop on the gateway's own engine. */
  async buildWorkshop(member: TestMember, options: { name?: string; specId?: string } = {}): Promise<string> {
    const { id } = await this.db.selectFrom('engineInstance').select('id').executeTakeFirstOrThrow();
    const built = await buildWorkshop(this.db, { memberId: member.memberId, engineInstanceId: id, ...options });
    return built.workshopId;
  }

  /** The member's calls without the browser. */
  clientOf({ loginSessionId, loginSecret }: TestMember): MemberClient {
    const client = this.process.newMember();
    client.takeCookies([
      { name: 'sessionId', value: loginSessionId },
      { name: 'atelier', value: loginSecret },
    ]);
    return client;
  }

  async signIn(context: BrowserContext, { loginSessionId, loginSecret }: TestMember): Promise<void> {
    const place = { url: this.origin, sameSite: 'Lax' } as const;
    await context.addCookies([
      { name: 'sessionId', value: loginSessionId, ...place },
      { name: 'atelier', value: loginSecret, httpOnly: true, ...place },
    ]);
  }

  async stop(): Promise<void> {
    await this.db.destroy();
    await this.process.remove();
  }
}

interface TestFixtures {
  /** Signed in to the page's context, at level 0 with 100 DCU. */
  member: TestMember;
  /** Noted for the last test, whatever the page sends and is sent. */
  secretsNoted: undefined;
}

interface WorkerFixtures {
  shared: SharedGateway;
  /** A member with something on every page. */
  furnished: Furnished;
  /** A member's page that stays open from test to test, for sentences that leave nothing behind. */
  warmPage: Page;
}

/** For sentences about the product as it stands: quick, because the gateway is started once. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  shared: [
    async ({ browserName: _ }, use) => {
      const shared = await SharedGateway.start();
      await use(shared);
      await shared.stop();
    },
    { scope: 'worker' },
  ],
  furnished: [async ({ shared }, use) => use(await buildFurnished(shared)), { scope: 'worker' }],
  warmPage: [
    async ({ browser, shared }, use) => {
      const context = await browser.newContext({ baseURL: shared.origin, locale: 'en-US', viewport: { width: 1440, height: 900 } });
      await shared.signIn(context, await shared.buildMember());
      const page = await context.newPage();
      await page.goto('/terms');
      await use(page);
      await context.close();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ shared }, use) => use(shared.origin),
  member: async ({ shared, context }, use) => {
    const member = await shared.buildMember();
    await shared.signIn(context, member);
    await use(member);
  },
  secretsNoted: [
    async ({ shared, context }, use) => {
      noteSecrets(context, shared.process);
      await use(undefined);
      for (const { value } of await context.cookies()) shared.process.secrets.add('cookie', value);
    },
    { auto: true },
  ],
});

/** What forms of the page send, and what comes back in cookies. */
export function noteSecrets(context: BrowserContext, { secrets }: E2eGateway): void {
  context.on('request', (request) => {
    if (!request.url().includes('/gateway/')) return;
    secrets.addFields(Object.fromEntries(new URL(request.url()).searchParams));
    const body = request.postData();
    if (body?.startsWith('{')) secrets.addFields(JSON.parse(body));
  });
  context.on('response', async (response) => {
    if (!response.url().includes('/gateway/user/')) return;
    // A page that is closed meanwhile takes its answers along; its cookies are read at the end of the test.
    const headers = await response.headersArray().catch(() => []);
    secrets.addCookies(headers.filter(({ name }) => name.toLowerCase() === 'set-cookie').map(({ value }) => value));
  });
}

/** Goes to a screen of the loaded page as its own links do: without loading anew, which takes ten times as long. */
export async function walk(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    window.history.pushState({}, '', to);
    window.dispatchEvent(new PopStateEvent('popstate'));
  }, path);
}

/** A mainland number nobody has used yet. */
export function newMobile(): string {
  return `137${String(randomInt(100_000_000)).padStart(8, '0')}`;
}

export { expect, type Page };
