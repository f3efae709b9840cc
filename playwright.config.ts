import { defineConfig, devices } from '@playwright/test';
import { ofJourneys } from './e2e/support/browsers.ts';

/** Journeys in a real browser. The global set-up starts the product and says where it is. */
export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  globalSetup: './e2e/global-setup.ts',
  workers: 2,
  fullyParallel: false,
  retries: 0,
  forbidOnly: process.env.CI !== undefined,
  // No journey is about how fast a machine is: what is late on one that others use, too, is waited for.
  timeout: 120_000,
  globalTimeout: 60 * 60_000,
  expect: { timeout: 20_000 },
  // `npm test` brings its own (scripts/lib/journey-reporter.ts), and under CI repeats a failed journey.
  reporter: 'list',
  use: {
    ...devices['Desktop Chrome'],
    channel: undefined,
    // A worker's updates and caches belong to the journeys that are about them.
    serviceWorkers: 'block',
    actionTimeout: 30_000,
    // A trace costs a fifth of what a journey does: it is made when somebody wants to look at one.
    trace: process.env.JOURNEY_TRACE ? 'retain-on-failure' : 'off',
    launchOptions: ofJourneys,
  },
});
