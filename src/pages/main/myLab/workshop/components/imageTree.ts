import type { Calls } from '../../../../../../gateway/contract/calls';

export type Framework = Calls['GET /gateway/image/basicTree']['data']['tree'][number];
export type Version = Framework['versions'][number];
export type Variant = Version['variants'][number];

export function variantsOf(framework: Framework): Variant[] {
  return framework.versions.flatMap((version) => version.variants);
}

/** The variant a framework or version starts with: the first that can be used, else the first. */
export function firstOf(variants: readonly Variant[]): Variant | undefined {
  return variants.find((variant) => variant.isAvailable) ?? variants[0];
}

/** Where in the tree an image stands. */
export function placeOf(tree: readonly Framework[], imageId: string | undefined) {
  for (const framework of tree) {
    for (const version of framework.versions) {
      const variant = version.variants.find((one) => one.imageId === imageId);
      if (variant) return { framework, version, variant };
    }
  }
  return null;
}

/** Why nothing of a framework can be used; empty when something can. */
export function reasonAgainstAll(variants: readonly Variant[]): string {
  return variants.some((variant) => variant.isAvailable) ? '' : (variants[0]?.reason ?? '');
}
