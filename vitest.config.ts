import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('.', import.meta.url));

/** Test files that mock modules. They cannot share loaded modules with other files. */
function findModuleMocks(patterns: string[]): string[] {
  return globSync(patterns, { cwd: root, exclude: ['**/node_modules/**', '**/build/**'] }).filter((file) =>
    /\bvi\.(mock|doMock|resetModules)\(/.test(readFileSync(`${root}${file}`, 'utf8')),
  );
}

function project(name: string, include: string[], options: { isolate: boolean; globalSetup?: string[] }) {
  const mocks = findModuleMocks(include);
  const exclude = ['**/node_modules/**', '**/build/**'];
  return {
    extends: true as const,
    test: {
      name,
      include: options.isolate ? mocks : include,
      exclude: options.isolate ? exclude : [...exclude, ...mocks],
      ...options,
    },
  };
}

const postgres = ['server/testing/global-setup.ts'];
const serverTests = ['server/**/*.test.ts', 'scripts/**/*.test.{ts,mjs}', 'bench/**/*.test.ts'];
const webTests = ['contract/**/*.test.ts', 'web/**/*.test.{ts,tsx}'];

/**
 * Unit and integration tests. Importing the server takes longer than most test files, so a worker loads modules once
 * and runs its files one after another. Each file still has its own database.
 */
export default defineConfig({
  test: {
    environment: 'node',
    fsModuleCache: true,
    fsModuleCachePath: '.cache/vitest',
    // One more than the cores, because tests often wait for PostgreSQL or another process.
    maxWorkers: availableParallelism() + 1,
    // A larger young generation halves the time of garbage collection.
    execArgv: ['--max-semi-space-size=64'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    restoreMocks: true,
    unstubGlobals: true,
    expect: { poll: { timeout: 30_000 } },
    projects: [
      project('server', serverTests, { isolate: false, globalSetup: postgres }),
      project('server-mocks', serverTests, { isolate: true, globalSetup: postgres }),
      project('web', webTests, { isolate: false }),
      project('web-mocks', webTests, { isolate: true }),
    ],
  },
});
