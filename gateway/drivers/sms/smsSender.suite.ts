import type { SmsMessage, SmsSender } from './smsSender';

/** What a test can see and move of a driver's other side. */
export interface SmsHarness {
  sender: SmsSender;
  /** Every message that arrived and is still kept, oldest first. */
  received(): Promise<(SmsMessage & { at: string })[]>;
  nowMs(): number;
  passMs(ms: number): void;
  /** From now on the other side takes nothing. */
  break(): Promise<void>;
  close(): Promise<void>;
}

const DAY_MS = 24 * 3_600_000;

/** The promises of every SMS driver. */
export function describeSmsSender(name: string, open: () => Promise<SmsHarness>): void {
  describe(`the SMS driver ${name}`, () => {
    let harness: SmsHarness;
    beforeEach(async () => {
      harness = await open();
    });
    afterEach(() => harness.close());

    const message: SmsMessage = { to: '+8613800138000', scene: 'login', text: '验证码 042917 “quoted”\n', code: '042917' };

    it('delivers a message as it was given', async () => {
      await harness.sender.send(message);

      expect(await harness.received()).toEqual([
        expect.objectContaining({ ...message, at: new Date(harness.nowMs()).toISOString() }),
      ]);
    });

    it('delivers a message without a code', async () => {
      await harness.sender.send({ ...message, code: null });

      expect((await harness.received())[0]?.code).toBeNull();
    });

    it('delivers each of many at once, once', async () => {
      const codes = Array.from({ length: 50 }, (_, index) => String(index).padStart(6, '0'));

      await Promise.all(codes.map((code) => harness.sender.send({ ...message, code })));

      expect((await harness.received()).map((received) => received.code).sort()).toEqual(codes);
    });

    it('keeps a message for a day and no longer', async () => {
      await harness.sender.send(message);
      harness.passMs(DAY_MS - 1);
      await harness.sender.send({ ...message, code: '111111' });
      expect(await harness.sender.purge()).toBe(0);

      harness.passMs(1);

      expect(await harness.sender.purge()).toBe(1);
      expect((await harness.received()).map((received) => received.code)).toEqual(['111111']);
    });

    it('has nothing to purge before the first message', async () => {
      expect(await harness.sender.purge()).toBe(0);
    });

    it('says so when a message was not taken', async () => {
      await harness.break();

      await expect(harness.sender.send(message)).rejects.toThrow();
    });
  });
}
