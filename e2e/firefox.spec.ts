/** Video playback in Firefox, driven over BiDi, on machines that have it. */
import { randomUUID } from 'node:crypto';
import puppeteer, { type Page } from 'puppeteer-core';
import { findFirefox } from '../scripts/lib/system.mjs';
import { baseUrl, expect, PASSWORD, signUp, test } from './support/fixtures.ts';
import { sharedFilm } from './support/small-films.ts';

const firefox = findFirefox();

type State = { frames: number; time: number; isPaused: boolean; source: string };

function stateOf(page: Page): Promise<State | null> {
  return page.evaluate(() => {
    const video = document.querySelector('video');
    return (
      video && {
        frames: video.getVideoPlaybackQuality().totalVideoFrames,
        time: video.currentTime,
        isPaused: video.paused,
        source: video.currentSrc,
      }
    );
  });
}

test('Firefox plays the stream with the same keys, and a visitor’s page without script', async ({
  browser: chromium,
}) => {
  test.skip(firefox === undefined, 'Firefox is not on this machine: its run is left out');
  test.setTimeout(240_000);
  const { postId, caption } = await sharedFilm(chromium);
  const fan = await signUp('customer');
  const browser = await puppeteer.launch({ browser: 'firefox', executablePath: firefox ?? '', headless: true });
  try {
    const page = await browser.newPage();
    await page.goto(`${baseUrl()}/post/${postId}`);
    await page.focus('video');
    await page.keyboard.press(' ');
    await expect.poll(async () => (await stateOf(page))?.frames, { timeout: 30_000 }).toBeGreaterThan(0);
    // Structured data is no script.
    expect(await page.$$('script:not([type="application/ld+json"])')).toHaveLength(0);

    await page.goto(`${baseUrl()}/login`);
    const status = await page.evaluate(
      async (username, password, operationId) => {
        const headers = { 'content-type': 'application/json', 'idempotency-key': operationId };
        const body = JSON.stringify({ username, password });
        return (await fetch('/api/auth/login', { method: 'POST', headers, body })).status;
      },
      fan.username,
      PASSWORD,
      randomUUID(),
    );
    expect(status).toBe(200);
    await page.goto(`${baseUrl()}/post/${postId}`);
    await page.waitForFunction(() => Object.keys(document.body ?? {}).some((key) => key.startsWith('__react')));
    await page.click(`button[aria-label^="Play ${caption}"]`);
    await expect.poll(async () => (await stateOf(page))?.frames, { timeout: 30_000 }).toBeGreaterThan(0);
    expect((await stateOf(page))?.source).toMatch(/^blob:/);
    await page.keyboard.press('k');
    await expect.poll(async () => (await stateOf(page))?.isPaused).toBe(true);
    await page.keyboard.press('5');
    await expect.poll(async () => Math.round((await stateOf(page))?.time ?? 0)).toBe(33);
  } finally {
    await browser.close();
  }
});
