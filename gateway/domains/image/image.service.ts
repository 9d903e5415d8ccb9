import type { Catalogue } from '../../catalog/catalogue';
import type { ImageEntry } from '../../catalog/entries';
import type { ImageCalls } from '../../contract/image';
import { type ComputeEngine, EngineUnreachable } from '../../drivers/compute/computeEngine';
import type { Language } from '../../locales/messages';
import { wordOf } from '../../locales/workshopWords';
import { Refusal } from '../../refusal';
import type { LabImageUseService } from '../labImage/labImageUse.service';

type Tree = ImageCalls['GET /gateway/image/basicTree']['data']['tree'];

export type ImageService = ReturnType<typeof createImageService>;

/** The images of the catalogue, as this gateway's engine can offer them. Refuses nothing; unavailable images carry the reason. */
export function createImageService({
  engine,
  catalogue,
  use,
}: {
  engine: ComputeEngine;
  catalogue: Catalogue;
  use: LabImageUseService;
}) {
  /** One question to the engine for any number of images. */
  async function reasonsOf(images: readonly ImageEntry[], language: Language): Promise<Map<string, string>> {
    const asked = [...new Set(images.flatMap((image) => image.commands))];
    try {
      const missing = new Set(await engine.missingCommands(asked));
      return new Map(images.map((image) => [image.imageId, reasonOf(image, missing, language)]));
    } catch (error) {
      if (!(error instanceof EngineUnreachable)) throw error;
      return new Map(images.map((image) => [image.imageId, wordOf('engineUnreachable', language)]));
    }
  }

  return {
    /** Why images cannot be started here now, by id, in words; empty where they can. */
    reasonsOf,

    /** Throws IMAGE_UNAVAILABLE where an image that a member made is not there for this member. */
    choose: use.choose,
    knowing: use.knowing,

    async basicTree(language: Language): Promise<Tree> {
      const reasons = await reasonsOf(catalogue.images, language);
      const tree: Tree = [];
      for (const image of catalogue.images) {
        const framework = found(tree, (one) => one.framework === image.framework, {
          framework: image.framework,
          name: image.frameworkName[language],
          versions: [],
        });
        const version = found(framework.versions, (one) => one.version === image.version, { version: image.version, variants: [] });
        const reason = reasons.get(image.imageId) ?? '';
        const { imageId, name, description } = image;
        version.variants.push({
          imageId,
          name: name[language],
          description: description[language],
          isAvailable: reason === '',
          reason,
        });
      }
      return tree;
    },

    /** Throws IMAGE_UNAVAILABLE, with the reason in words, where an image cannot be started here now. */
    async requireAvailable(imageId: string, language: Language): Promise<void> {
      const image = await use.baseOf(imageId);
      const reason =
        !image || image.isRetired ? wordOf('imageRetired', language) : (await reasonsOf([image], language)).get(imageId);
      if (reason) throw new Refusal('IMAGE_UNAVAILABLE', { params: { reason }, data: { reason } });
    },
  };
}

function reasonOf(image: ImageEntry, missing: ReadonlySet<string>, language: Language): string {
  const lacking = image.commands.filter((command) => missing.has(command));
  return lacking.length === 0 ? '' : wordOf('imageCommands', language, { commands: lacking.join(', ') });
}

/** The entry that matches, or the given one, added. */
function found<T>(list: T[], matches: (entry: T) => boolean, otherwise: T): T {
  const entry = list.find(matches);
  if (entry) return entry;
  list.push(otherwise);
  return otherwise;
}
