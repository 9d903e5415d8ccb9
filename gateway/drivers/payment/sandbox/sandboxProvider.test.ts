import { NoticeUnbelievable } from '../paymentProvider';
import { describePaymentProvider } from '../paymentProvider.suite';
import { openSandboxWorld, type SandboxWorld } from './sandboxWorld';

describePaymentProvider('sandbox', async () => {
  const world = await openSandboxWorld();
  return {
    ...world,
    provider: world.sandbox.provider,
    pay: (paymentId) => world.act(paymentId, 'approve'),
    decline: (paymentId) => world.act(paymentId, 'decline'),
    setRefunds: (paymentId, mode) => world.act(paymentId, mode),
    wait: () => world.passMs(20_000),
  };
});

describe('the notices of the sandbox', () => {
  let world: SandboxWorld;
  beforeAll(async () => {
    world = await openSandboxWorld();
  });
  beforeEach(async () => {
    world.setAnswer({ status: 200, body: 'success' });
    await world.received();
  });
  afterAll(() => world.close());

  const bodies = async () => (await world.received()).map(({ rawBody }) => JSON.parse(rawBody.toString('utf8')));

  it.each([
    ['an error', { status: 500, body: 'success' }],
    ['another word', { status: 200, body: 'fail' }],
  ])('are sent again, later and later, until they are acknowledged: after %s', async (_name, answer) => {
    const { trade } = await world.createTrade();
    world.setAnswer(answer);
    await world.act(trade.paymentId, 'approve');
    expect(await bodies()).toHaveLength(1);
    expect(await bodies()).toHaveLength(0);

    await world.passMs(2_000);
    expect(await bodies()).toHaveLength(1);
    await world.passMs(2_000);
    expect(await bodies()).toHaveLength(0);
    world.setAnswer({ status: 200, body: 'success' });
    await world.passMs(2_000);
    expect(await bodies()).toHaveLength(1);

    await world.passMs(86_400_000);
    expect(await bodies()).toHaveLength(0);
  });

  it('tell the same money three times, or two different ones', async () => {
    const [thrice, twice] = [(await world.createTrade()).trade, (await world.createTrade()).trade];

    await world.act(thrice.paymentId, 'duplicate');
    const same = await bodies();
    await world.act(twice.paymentId, 'double');
    const different = await bodies();

    expect(same).toHaveLength(3);
    expect(new Set(same.map((body) => body.providerTxn)).size).toBe(1);
    expect(new Set(different.map((body) => body.providerTxn)).size).toBe(2);
    expect(different.map((body) => body.paymentId)).toEqual([twice.paymentId, twice.paymentId]);
  });

  it('come slowly where the payer chose so', async () => {
    const { trade } = await world.createTrade();

    await world.act(trade.paymentId, 'slow');

    expect(await bodies()).toHaveLength(0);
    expect((await world.sandbox.provider.query(trade.paymentId)).status).toBe('PAID');
    await world.passMs(20_000);
    expect(await bodies()).toHaveLength(1);
  });

  it('tell of late money once the time to pay is over, for a closed trade as well', async () => {
    const { trade } = await world.createTrade();
    await world.act(trade.paymentId, 'late');
    expect((await world.sandbox.provider.query(trade.paymentId)).status).toBe('WAITING');
    expect(await world.sandbox.provider.close(trade.paymentId)).toBe('CLOSED');
    await world.passMs(30 * 60_000);
    expect(await bodies()).toHaveLength(0);

    await world.passMs(60_000);

    expect(await bodies()).toMatchObject([{ paymentId: trade.paymentId, status: 'PAID' }]);
    expect((await world.sandbox.provider.query(trade.paymentId)).status).toBe('PAID');
  });

  it('are not believed when they are old', async () => {
    const { trade } = await world.createTrade();
    await world.act(trade.paymentId, 'approve');
    const [notice] = await world.received();
    if (!notice) throw new Error('there was no notice');

    await world.passMs(301_000);

    const { rawBody, headers } = notice;
    await expect(world.sandbox.provider.verifyNotice(rawBody, headers)).rejects.toThrow(NoticeUnbelievable);
  });

  it('close a trade that nobody paid in time', async () => {
    const { trade } = await world.createTrade();

    await world.passMs(30 * 60_000);

    expect(await world.sandbox.provider.query(trade.paymentId)).toEqual({ status: 'CLOSED' });
  });
});
