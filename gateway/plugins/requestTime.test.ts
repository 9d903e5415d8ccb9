import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { buildTestApp, type TestApp } from '../testing/buildTestApp';
import type { TestMember } from '../testing/factories';

const REQUEST_MS = 300;

describe('an upload', () => {
  let test: TestApp;
  let member: TestMember;
  let workshopId: string;
  beforeAll(async () => {
    test = await buildTestApp({ limits: { requestMs: REQUEST_MS } });
    await test.app.listen({ port: 0, host: '127.0.0.1' });
    member = await test.buildMember({ levelFlag: 1 });
    ({ workshopId } = await test.buildWorkshop({ memberId: member.memberId }));
  });
  afterAll(() => test.close());

  function begin(path: string, length: number): { sending: ClientRequest; answered: Promise<IncomingMessage> } {
    const { port } = test.app.server.address() as AddressInfo;
    const sending = request({
      ...{ host: '127.0.0.1', port, method: 'POST', path: `/gateway/workshop/upload?workshopId=${workshopId}&path=${path}` },
      headers: {
        'content-type': 'application/octet-stream',
        'content-length': length,
        'sec-fetch-site': 'same-origin',
        cookie: `sessionId=${member.loginSessionId}; atelier=${member.loginSecret}`,
      },
    });
    const answered = once(sending, 'response').then(([answer]: IncomingMessage[]) => answer as IncomingMessage);
    return { sending, answered };
  }
  const names = async () =>
    (await test.as(member).send('GET /gateway/workshop/files', { query: { workshopId } })).data.entries.map(({ name }) => name);

  it('may take longer than any other request while it comes', async () => {
    const block = Buffer.alloc(16_384, 'x');
    const rounds = 30;
    const { sending, answered } = begin('steady.bin', rounds * block.length);
    const startedAt = performance.now();
    for (let round = 0; round < rounds; round += 1) {
      sending.write(block);
      await wait(REQUEST_MS / 8);
    }
    sending.end();

    const answer = await answered;

    expect(performance.now() - startedAt).toBeGreaterThan(2 * REQUEST_MS);
    expect(JSON.parse(await text(answer))).toMatchObject({ code: 0, data: { sizeBytes: rounds * block.length } });
  });

  it('that hardly comes is told so and hung up on, and leaves nothing', async () => {
    const { sending, answered } = begin('slow.bin', 10_000);
    sending.on('error', () => undefined);
    const dripping = setInterval(() => sending.write('x'), 20);

    const answer = await answered;
    clearInterval(dripping);

    expect(answer.statusCode).toBe(408);
    expect(JSON.parse(await text(answer))).toMatchObject({ success: false, code: 20008 });
    expect(await names()).not.toContain('slow.bin');
  });

  it('that is ended half-way leaves nothing', async () => {
    const { sending, answered } = begin('half.bin', 1_000_000);
    const hungUp = expect(answered).rejects.toThrow();
    sending.on('error', () => undefined);
    sending.write(Buffer.alloc(500_000));
    await wait(50);
    sending.destroy();
    await hungUp;

    await wait(50);
    expect(await names()).toEqual(['steady.bin']);
  });
});
