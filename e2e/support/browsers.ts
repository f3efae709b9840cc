import type { LaunchOptions } from '@playwright/test';
import { findChromium, findJourneysChromium } from '../../scripts/lib/system.mjs';

const flags = ['no-sandbox', 'disable-gpu', 'disable-quic', 'no-first-run', 'disable-background-networking'];
flags.push('disable-component-update', 'disable-sync');
flags.push('use-fake-device-for-media-stream', 'use-fake-ui-for-media-stream', 'allow-loopback-in-peer-connection');

function launchOptions(executablePath: string | undefined): LaunchOptions {
  return { ...(executablePath !== undefined && { executablePath }), args: flags.map((flag) => `--${flag}`) };
}

export const headlessOptions = launchOptions(findJourneysChromium());
export const windowedOptions = launchOptions(findChromium());
