/** @jest-config-loader esbuild-register */
import { configUmiAlias, createConfig } from '@umijs/max/test';
import type { Config } from 'jest';

type Project = Extract<NonNullable<Config['projects']>[number], object>;

/** The console's aliases come out of Umi's set-up, seconds that a run of the gateway alone need not wait for. */
const isConsoleSelected = !process.argv.some((word) => word.startsWith('--selectProjects')) || process.argv.includes('console');

export default async (): Promise<Config> => ({
  // Generous: the clock of a test is the machine's, and others may be using it.
  testTimeout: 30_000,
  projects: [gatewayProject(), ...(isConsoleSelected ? [await consoleProject()] : [])],
});

/** PostgreSQL is started by this project's own set-up, so a run of the console alone starts none. */
function gatewayProject(): Project {
  return {
    ...(createConfig({
      target: 'node',
      jsTransformer: 'esbuild',
      jsTransformerOpts: { target: 'node20', supported: { 'dynamic-import': false } },
    }) as Project),
    displayName: 'gateway',
    roots: ['<rootDir>/gateway'],
    testEnvironment: 'node',
    // Jest's CommonJS modules cannot load ESM-only packages, nor @fastify/cookie its own by a dynamic import.
    transformIgnorePatterns: ['/node_modules/(?!(@fastify/cookie|cookie|content-disposition)/)'],
    setupFiles: [],
    setupFilesAfterEnv: ['<rootDir>/gateway/testing/matchers.ts'],
    modulePathIgnorePatterns: [],
    globalSetup: '<rootDir>/gateway/testing/globalSetup.ts',
    globalTeardown: '<rootDir>/gateway/testing/globalTeardown.ts',
  };
}

async function consoleProject(): Promise<Project> {
  return configUmiAlias({
    ...(createConfig({
      target: 'browser',
      jsTransformer: 'esbuild',
      jsTransformerOpts: { jsx: 'automatic', supported: { 'dynamic-import': false } },
    }) as Project),
    displayName: 'console',
    roots: ['<rootDir>/src', '<rootDir>/config'],
    testPathIgnorePatterns: ['/node_modules/'],
    setupFilesAfterEnv: ['<rootDir>/src/testing/setup.ts'],
  });
}
