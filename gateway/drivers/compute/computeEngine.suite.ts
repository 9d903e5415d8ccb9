import type { ComputeEngine, EngineCapabilities } from './computeEngine';
import { describeLife } from './testing/life.suite';
import { describeLimits } from './testing/limits.suite';
import { describeSurroundings } from './testing/surroundings.suite';
import { describeTerminals } from './testing/terminals.suite';

// Real processes on a machine that may be busy; what is awaited has time-outs of its own.
jest.setTimeout(60_000);

/** What the suite needs of a driver to prove the port on it. */
export interface EngineUnderTest {
  engine: ComputeEngine;
  /** Lets run time pass: really, or on the injected clock. */
  passTime(ms: number): Promise<void>;
  /** Memory the engine itself holds, to prove that a slow reader costs none. */
  engineBytes(): Promise<number>;
  /** Paths of the host that no lab may read. */
  hiddenPaths: readonly string[];
  /** Where this machine keeps homes; null where the engine keeps them elsewhere. */
  homes: string | null;
  close(): Promise<void>;
}

/** What a driver under test claims; the suite holds it to every claim and checks that it declares the rest. */
export type Claims = Pick<
  EngineCapabilities,
  'isolation' | 'cpuLimit' | 'memoryLimit' | 'diskLimit' | 'network' | 'survivesGatewayRestart' | 'hasImages' | 'saveImage'
>;

/** The promises of the `ComputeEngine` port. Every driver runs all of them: what one cannot do it must declare. */
export function describeComputeEngine(name: string, claims: Claims, make: () => Promise<EngineUnderTest>): void {
  describe(name, () => {
    let made: EngineUnderTest | null = null;
    const subject = (): EngineUnderTest => {
      if (!made) throw new Error('the engine was not made');
      return made;
    };

    beforeAll(async () => {
      made = await make();
    });

    afterAll(() => made?.close());

    it('declares what it can do', async () => {
      const capabilities = await subject().engine.capabilities();

      expect(capabilities).toMatchObject(claims);
      expect(capabilities.maxCpuCores).toBeGreaterThan(0);
      expect(capabilities.maxMemoryBytes).toBeGreaterThan(0);
      expect((await subject().engine.health()).isHealthy).toBe(true);
    });

    describeLife(subject);
    describeTerminals(subject);
    describeSurroundings(subject, claims);
    describeLimits(subject, claims);
  });
}
