import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const { createConfig } = createRequire(import.meta.url)('@umijs/max/test');

/** The one contract suite over every engine; without the database that the gateway's own tests have. */
export default {
  ...createConfig({
    target: 'node',
    jsTransformer: 'esbuild',
    jsTransformerOpts: { target: 'node20', supported: { 'dynamic-import': false } },
  }),
  rootDir: resolve(import.meta.dirname, '../..'),
  roots: ['<rootDir>/gateway/drivers/compute'],
  testEnvironment: 'node',
  testMatch: ['**/*.daemons.ts', '**/processEngine*.test.ts', '**/simulatedEngine.test.ts', '**/supervisor.test.ts'],
  testTimeout: 60_000,
  setupFiles: [],
  modulePathIgnorePatterns: [],
};
