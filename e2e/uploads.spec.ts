import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BrowserContext, Page } from '@playwright/test';
import { expect, test, waitForHydration } from './support/fixtures.ts';
import { makeJpeg } from './support/money.ts';
import { startProxy } from './support/proxy.ts';

test.use({ isSavingData: false });

const MB = 1024 * 1024;

/** A picture followed by bytes that decoders ignore, so that the upload takes a while. */
async function makeLargeFile(bytes: number): Promise<Buffer> {
  return Buffer.concat([await makeJpeg(400, 300), Buffer.alloc(bytes)]);
}

type Throttle = { setOffline: (isOffline: boolean) => Promise<void>; release: () => Promise<void> };

async function throttle(page: Page, bytesPerSecond: number): Promise<Throttle> {
  const session = await page.context().newCDPSession(page);
  const setConditions = async (offline: boolean, uploadThroughput: number) => {
    const conditions = { offline, latency: 5, downloadThroughput: -1, uploadThroughput };
    await session.send('Network.emulateNetworkConditions', conditions);
  };
  await setConditions(false, bytesPerSecond);
  return {
    setOffline: (isOffline) => setConditions(isOffline, bytesPerSecond),
    release: () => setConditions(false, -1),
  };
}

function recordOffsets(context: BrowserContext): number[] {
  const offsets: number[] = [];
  context.on('request', (request) => {
    if (request.method() === 'PATCH' && request.url().includes('/files/'))
      offsets.push(Number(request.headers()['upload-offset']));
  });
  return offsets;
}

async function writeTempFile(content: Buffer): Promise<{ file: string; remove: () => Promise<void> }> {
  const dir = await mkdtemp(path.join(tmpdir(), 'stagedoor-e2e-file-'));
  const file = path.join(dir, 'heavy.jpg');
  await writeFile(file, content);
  return { file, remove: () => rm(dir, { recursive: true, force: true }) };
}

const getProgress = (page: Page) => page.getByRole('progressbar', { name: 'Uploading heavy.jpg', exact: true });
async function waitForHalf(page: Page): Promise<void> {
  await expect
    .poll(async () => Number(await getProgress(page).getAttribute('value')), { timeout: 30_000 })
    .toBeGreaterThan(2 * MB);
}

test('an upload resumes after a lost connection, can be paused, and resumes after a reload with the same file', async ({
  createUser,
}) => {
  const proxy = await startProxy();
  const { page, context } = await createUser('creator', { proxy: proxy.url });
  const { file, remove } = await writeTempFile(await makeLargeFile(12 * MB));
  const offsets = recordOffsets(context);
  await page.goto('/creator/post/add');
  await waitForHydration(page);
  const network = await throttle(page, MB);
  await page.getByLabel('Choose files').setInputFiles(file);
  await expect(page.getByText(/[kM]B\/s · about .* left/)).toBeVisible({ timeout: 30_000 });
  await waitForHalf(page);

  // A browser that is set offline may still send the rest of a running upload without its limit.
  proxy.cutRequests();
  await network.setOffline(true);
  await expect(page.getByText('Connection lost. Will resume automatically.')).toBeVisible({ timeout: 30_000 });
  let refusals = 0;
  await page.route('**/files/**', (route) => {
    refusals += 1;
    return route.abort('connectionrefused');
  });
  await network.setOffline(false);
  await expect.poll(() => refusals, { timeout: 30_000 }).toBeGreaterThan(0);
  await expect(page.getByText('Connection lost. Will resume automatically.')).toBeVisible();
  await page.unroute('**/files/**');
  await expect(getProgress(page)).toBeVisible({ timeout: 60_000 });
  await expect.poll(() => offsets.at(-1)).toBeGreaterThan(0);

  await page.getByRole('button', { name: 'Pause heavy.jpg' }).click();
  await expect(page.getByText('Paused')).toBeVisible();
  await expect(page.getByText(/^Saved \d\d:\d\d$/)).toBeVisible();

  page.on('dialog', (dialog) => void dialog.accept());
  const offsetCount = offsets.length;
  await network.release();
  await page.reload();
  await waitForHydration(page);
  await expect(page.getByText('Choose the same file again to resume the upload.')).toBeVisible();
  await expect(page.getByText(/\d(?:\.\d)? MB of \d+(?:\.\d)? MB uploaded/)).toBeVisible();
  const choose = page.getByLabel('Choose heavy.jpg again');
  await choose.setInputFiles({ name: 'heavy.jpg', mimeType: 'image/jpeg', buffer: await makeJpeg(20, 20) });
  await expect(page.getByText('That’s a different file.')).toBeVisible();
  // The field for new files recognises it, too.
  await page.getByLabel('Choose files').setInputFiles(file);
  await expect(page.getByText(/, ready$/)).toHaveCount(1, { timeout: 60_000 });
  expect(offsets[offsetCount]).toBeGreaterThan(2 * MB);
  await remove();
  await proxy.close();
});
