import { defineConfig } from 'vitest/config';

/** Unit tests and integration tests (on clones of a migrated PostgreSQL template) in one run. */
export default defineConfig({
  test: {
    include: [
      'contract/**/*.test.ts',
      'server/**/*.test.ts',
      'web/**/*.test.{ts,tsx}',
      'scripts/**/*.test.{ts,mjs}',
      'bench/**/*.test.ts',
    ],
    exclude: ['**/node_modules/**', '**/build/**'],
    environment: 'node',
    globalSetup: ['server/testing/global-setup.ts'],
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    restoreMocks: true,
    // A slow machine takes longer for the same.
    expect: { poll: { timeout: 30_000 } },
  },
});
