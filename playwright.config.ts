import { availableParallelism } from 'node:os';
import { defineConfig, devices } from '@playwright/test';
import { headlessOptions } from './e2e/support/browsers.ts';

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  globalSetup: './e2e/global-setup.ts',
  // One more than the cores, because journeys often wait for the server.
  workers: availableParallelism() + 1,
  fullyParallel: false,
  retries: 0,
  forbidOnly: process.env.CI !== undefined,
  // Tests do not measure speed, so the timeouts are long enough for a busy machine.
  timeout: 120_000,
  globalTimeout: 60 * 60_000,
  expect: { timeout: 20_000 },
  // `npm test` uses its own reporter (scripts/lib/journey-reporter.ts), and on CI it reruns failed tests.
  reporter: 'list',
  use: {
    ...devices['Desktop Chrome'],
    channel: undefined,
    // Only the tests about the service worker allow it, because its updates and caches would affect others.
    serviceWorkers: 'block',
    actionTimeout: 30_000,
    // A trace adds a fifth to the duration of a test, so it is only recorded on request.
    trace: process.env.JOURNEY_TRACE ? 'retain-on-failure' : 'off',
    launchOptions: headlessOptions,
  },
});
