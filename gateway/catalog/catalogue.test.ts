import { levels } from '../contract/entitlements';
import { loadCatalogue } from './catalogue';
import type { ImageEntry, SpecEntry } from './entries';
import { CatalogueError } from './entryChecks';
import { images } from './images';
import { specs } from './specs';

const [spec, image] = [specs[0] as SpecEntry, images[0] as ImageEntry];
const withSpec = (change: Partial<SpecEntry>) => () => loadCatalogue({ specs: [{ ...spec, ...change }], images });
const withImage = (change: Partial<ImageEntry>) => () => loadCatalogue({ specs, images: [{ ...image, ...change }] });

describe('the catalogue', () => {
  it('is sound as shipped and prices every spec in micro-DCU', () => {
    const catalogue = loadCatalogue();

    expect(catalogue.specOf('cpu-half').rateMicroPerHour).toBe(250_000n);
    expect(catalogue.specOf('cpu-64').rateMicroPerHour).toBe(32_000_000n);
  });

  it('offers every level a spec that fills its CPU ceiling and stays below its rate ceiling', () => {
    const catalogue = loadCatalogue();

    for (const level of levels) {
      const fitting = catalogue.specs.filter((entry) => entry.cpuCores === level.cpuCores);
      expect(fitting.map((entry) => Number(entry.dcuPerHour) <= level.dcuPerHour)).toEqual([true]);
    }
  });

  it.each([
    ['a spec twice', () => loadCatalogue({ specs: [spec, spec], images }), 'Spec cpu-half stands twice'],
    ['a price of seven decimals', withSpec({ dcuPerHour: '0.1234567' }), 'Spec cpu-half has a price'],
    ['a negative price', withSpec({ dcuPerHour: '-1' }), 'Spec cpu-half has a price'],
    ['no cores', withSpec({ cpuCores: 0 }), 'Spec cpu-half must have'],
    ['half a byte', withSpec({ memoryBytes: 0.5 }), 'memoryBytes'],
    ['an id with spaces', withSpec({ specId: 'a b' }), 'Spec a b has an id'],
    ['a nameless spec', withSpec({ name: { 'en-US': 'x', 'zh-CN': ' ' } }), 'Spec cpu-half has no name in zh-CN'],
    ['an image twice', () => loadCatalogue({ specs, images: [image, image] }), 'Image shell stands twice'],
    ['an image with a path as command', withImage({ commands: ['/bin/sh'] }), 'Image shell must name'],
    ['an image whose container has no tag', withImage({ reference: 'docker.io/library/debian' }), 'with registry path and tag'],
    ['an image without commands', withImage({ commands: [] }), 'Image shell must name'],
    ['an empty catalogue', () => loadCatalogue({ specs: [], images }), 'at least one spec'],
  ])('refuses %s with a sentence naming the entry', (_what, load, sentence) => {
    expect(load).toThrow(CatalogueError);
    expect(load).toThrow(sentence);
  });

  it('still finds what is retired, and no longer offers it', () => {
    const second = specs[1] as SpecEntry;
    const catalogue = loadCatalogue({ specs: [{ ...spec, isRetired: true }, second], images });

    expect(catalogue.specs.map((entry) => entry.specId)).toEqual([second.specId]);
    expect(catalogue.specOf(spec.specId).cpuCores).toBe(0.5);
    expect(() => catalogue.specOf('never')).toThrow('no spec never');
  });
});
