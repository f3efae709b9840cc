/** How Stryker runs tests, in its copy of the project: one process, with modules loaded once for all files and mutants. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import { warmPool } from './warm-pool.mjs';

const startsApp = (file) => /\b(createTestApp|createApp)\(/.test(readFileSync(file, 'utf8'));

/** Runs tests that start no app first, because the first failure ends the run of a mutant. */
class CheapTestsFirst extends BaseSequencer {
  async sort(specifications) {
    const costs = new Map(
      specifications.map(({ moduleId }) => [moduleId, (startsApp(moduleId) ? 1e6 : 0) + statSync(moduleId).size]),
    );
    return specifications.toSorted((a, b) => (costs.get(a.moduleId) ?? 0) - (costs.get(b.moduleId) ?? 0));
  }
}

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
    sequence: { sequencer: CheapTestsFirst },
    testTimeout: 300_000,
    hookTimeout: 300_000,
    restoreMocks: true,
    expect: { poll: { timeout: 60_000 } },
  },
});
