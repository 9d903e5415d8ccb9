import type { Catalogue, Spec } from '../../catalog/catalogue';
import type { WorkshopCalls } from '../../contract/workshop';
import { dcuFromMicro } from '../../dcu';
import { type ComputeEngine, type EngineCapabilities, EngineUnreachable } from '../../drivers/compute/computeEngine';
import type { Language } from '../../locales/messages';
import { wordOf } from '../../locales/workshopWords';
import { Refusal } from '../../refusal';
import { adviceOf, type UsedByRun } from './advice.rules';
import { requireEngineNetwork } from './setup.rules';
import { type Ceilings, isAllowedBy, minimumLevelOf, type OpenLab } from './workshop.rules';

const GB = 1_073_741_824;

type AdviceView = NonNullable<WorkshopCalls['GET /gateway/workshop/get']['data']['lastSession']>['advice'];
type CpuSpec = WorkshopCalls['GET /gateway/workshop/cpuSpec']['data']['list'][number];
export type SpecOfferService = ReturnType<typeof createSpecOfferService>;

/** What of the catalogue's specs this gateway's engine can carry. */
export function createSpecOfferService({ engine, catalogue }: { engine: ComputeEngine; catalogue: Catalogue }) {
  async function capabilities(): Promise<EngineCapabilities | null> {
    try {
      return await engine.capabilities();
    } catch (error) {
      if (error instanceof EngineUnreachable) return null;
      throw error;
    }
  }

  return {
    async list(ceilings: Ceilings, language: Language): Promise<CpuSpec[]> {
      const host = await capabilities();
      return catalogue.specs.map((spec) => {
        const reason = host ? reasonOf(spec, host, language) : wordOf('engineUnreachable', language);
        return {
          ...presentSpec(spec, language),
          priceVersion: spec.priceVersion,
          minimumLevel: minimumLevelOf(spec),
          isAllowed: isAllowedBy(ceilings, spec),
          isAvailable: reason === '',
          reason,
        };
      });
    },

    /** Whether labs can have a network here, with the reason where they cannot. */
    async network(language: Language): Promise<{ isAvailable: boolean; reason: string }> {
      const host = await capabilities();
      const isAvailable = host?.network === 'egress';
      const reason = host ? wordOf('engineNoNetwork', language) : wordOf('engineUnreachable', language);
      return { isAvailable, reason: isAvailable ? '' : reason };
    },

    /** Throws ENGINE_NO_NETWORK, ENGINE_UNAVAILABLE. */
    async requireNetwork(language: Language): Promise<void> {
      const host = await capabilities();
      if (!host) throw new Refusal('ENGINE_UNAVAILABLE', { params: { reason: wordOf('engineUnreachable', language) } });
      requireEngineNetwork(host);
    },

    /** The spec, if this engine can carry it. Throws SPEC_UNAVAILABLE or ENGINE_UNAVAILABLE with the reason. */
    async requireAvailable(specId: string, language: Language): Promise<Spec> {
      const spec = catalogue.findSpec(specId);
      if (!spec || spec.isRetired) throw new Refusal('SPEC_UNAVAILABLE', { params: { reason: wordOf('specRetired', language) } });
      const host = await capabilities();
      if (!host) throw new Refusal('ENGINE_UNAVAILABLE', { params: { reason: wordOf('engineUnreachable', language) } });
      const reason = reasonOf(spec, host, language);
      if (reason) throw new Refusal('SPEC_UNAVAILABLE', { params: { reason }, data: { reason } });
      return spec;
    },
  };
}

/** Open labs as the limits see them: a size this gateway's catalogue does not know counts by its price alone, so that it ends no start. */
export function openLabsOf(
  catalogue: Pick<Catalogue, 'findSpec'>,
  open: readonly { specId: string; rateMicroPerHour: bigint }[],
): OpenLab[] {
  return open.map(({ specId, rateMicroPerHour }) => ({ cpuCores: catalogue.findSpec(specId)?.cpuCores ?? 0, rateMicroPerHour }));
}

/** A spec as the wire shows it. */
export function presentSpec(spec: Spec, language: Language) {
  const { specId, cpuCores, memoryBytes, diskBytes } = spec;
  return { specId, name: spec.name[language], cpuCores, memoryBytes, diskBytes, dcuPerHour: dcuFromMicro(spec.rateMicroPerHour) };
}

/** An image as the wire shows it; one this gateway's catalogue does not know goes by its id. */
export function presentImage(catalogue: Pick<Catalogue, 'findImage'>, imageId: string, language: Language) {
  return { imageId, name: catalogue.findImage(imageId)?.name[language] ?? imageId };
}

/** What a run says about the size it ran on, among those on offer now. */
export function presentAdvice(
  catalogue: Pick<Catalogue, 'findSpec' | 'specs'>,
  { specId, ...run }: UsedByRun & { specId: string },
  language: Language,
): AdviceView {
  const own = catalogue.findSpec(specId);
  const advice = own ? adviceOf(run, own, catalogue.specs) : null;
  if (!advice) return null;
  const { kind, spec, ...evidence } = advice;
  const dcuPerHour = dcuFromMicro(spec.rateMicroPerHour);
  return { kind, specId: spec.specId, name: spec.name[language], dcuPerHour, evidence };
}

function reasonOf(spec: Spec, host: EngineCapabilities, language: Language): string {
  if (spec.cpuCores > host.maxCpuCores) return wordOf('specCores', language, { cores: host.maxCpuCores });
  if (spec.memoryBytes > host.maxMemoryBytes) {
    return wordOf('specMemory', language, { gb: Math.floor((host.maxMemoryBytes / GB) * 10) / 10 });
  }
  return '';
}
