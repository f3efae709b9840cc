import { defineConfig, devices } from '@playwright/test';
import { findChromium } from './scripts/lib/system.mjs';

const chromium = findChromium();
const flags = ['no-sandbox', 'disable-gpu', 'disable-quic', 'no-first-run', 'disable-background-networking'];
flags.push('disable-component-update', 'disable-sync');
flags.push('use-fake-device-for-media-stream', 'use-fake-ui-for-media-stream', 'allow-loopback-in-peer-connection');

/** Journeys in a real browser. The global set-up starts the product and says where it is. */
export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  globalSetup: './e2e/global-setup.ts',
  workers: 2,
  fullyParallel: false,
  retries: 0,
  forbidOnly: process.env.CI !== undefined,
  timeout: 60_000,
  globalTimeout: 40 * 60_000,
  expect: { timeout: 10_000 },
  reporter: [['list'], ['json', { outputFile: '.cache/results/journeys.json' }]],
  use: {
    ...devices['Desktop Chrome'],
    channel: undefined,
    // A worker's updates and caches belong to the journeys that are about them.
    serviceWorkers: 'block',
    actionTimeout: 15_000,
    trace: 'retain-on-failure',
    launchOptions: {
      ...(chromium === undefined ? {} : { executablePath: chromium }),
      args: flags.map((flag) => `--${flag}`),
    },
  },
});
