/** How Stryker runs tests, in its copy of the project: one process, with modules loaded once for all files and mutants. */
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { warmPool } from './warm-pool.mjs';

export default defineConfig({
  plugins: [warmPool],
  // The package in node_modules is the code without mutants.
  resolve: { alias: { '@stagedoor/contract': join(process.cwd(), 'contract') } },
  test: {
    include: ['contract/**/*.test.ts', 'server/**/*.test.ts'],
    environment: 'node',
    globalSetup: ['server/testing/global-setup.ts'],
    isolate: false,
    maxWorkers: 1,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    restoreMocks: true,
    expect: { poll: { timeout: 60_000 } },
  },
});
