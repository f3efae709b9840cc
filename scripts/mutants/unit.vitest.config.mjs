/** How Stryker runs unit tests, in its copy of the project: new modules for every mutant, and no database. */
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // The package in node_modules is the code without mutants.
  resolve: { alias: { '@stagedoor/contract': join(process.cwd(), 'contract') } },
  test: { include: ['contract/**/*.test.ts', 'server/**/*.test.ts'], environment: 'node', restoreMocks: true },
});
