/** @jest-config-loader esbuild-register */
import { existsSync } from 'node:fs';
import { configUmiAlias, createConfig } from '@umijs/max/test';
import type { Config } from 'jest';

type Project = Extract<NonNullable<Config['projects']>[number], object>;

export default async (): Promise<Config> => ({
  projects: [gatewayProject(), ...(existsSync('.umirc.ts') ? [await consoleProject()] : [])],
});

/** PostgreSQL is started by this project's own set-up, so a run of the console alone starts none. */
function gatewayProject(): Project {
  return {
    ...(createConfig({ target: 'node', jsTransformer: 'esbuild' }) as Project),
    displayName: 'gateway',
    roots: ['<rootDir>/gateway'],
    testEnvironment: 'node',
    setupFiles: [],
    modulePathIgnorePatterns: [],
    globalSetup: '<rootDir>/gateway/testing/globalSetup.ts',
    globalTeardown: '<rootDir>/gateway/testing/globalTeardown.ts',
  };
}

async function consoleProject(): Promise<Project> {
  return configUmiAlias({
    ...(createConfig({ target: 'browser', jsTransformer: 'esbuild', jsTransformerOpts: { jsx: 'automatic' } }) as Project),
    displayName: 'console',
    roots: ['<rootDir>/src', '<rootDir>/config'],
    testPathIgnorePatterns: ['/node_modules/'],
    setupFilesAfterEnv: ['<rootDir>/src/testing/setup.ts'],
  });
}
