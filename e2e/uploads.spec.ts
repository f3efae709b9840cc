import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BrowserContext, Page } from '@playwright/test';
import { expect, hydrated, test } from './support/fixtures.ts';
import { makeJpeg } from './support/money.ts';

test.use({ isSavingData: false });

const MB = 1024 * 1024;

/** A picture followed by bytes that decoders ignore, so that the upload takes a while. */
async function makeHeavy(bytes: number): Promise<Buffer> {
  return Buffer.concat([await makeJpeg(400, 300), Buffer.alloc(bytes)]);
}

type Throttle = { setOffline: (isOffline: boolean) => Promise<void>; release: () => Promise<void> };

async function slow(page: Page, bytesPerSecond: number): Promise<Throttle> {
  const session = await page.context().newCDPSession(page);
  const set = async (offline: boolean, uploadThroughput: number) => {
    const conditions = { offline, latency: 5, downloadThroughput: -1, uploadThroughput };
    await session.send('Network.emulateNetworkConditions', conditions);
  };
  await set(false, bytesPerSecond);
  return { setOffline: (isOffline) => set(isOffline, bytesPerSecond), release: () => set(false, -1) };
}

function offsetsOf(context: BrowserContext): number[] {
  const offsets: number[] = [];
  context.on('request', (request) => {
    if (request.method() === 'PATCH' && request.url().includes('/files/'))
      offsets.push(Number(request.headers()['upload-offset']));
  });
  return offsets;
}

async function fileOnDisk(content: Buffer): Promise<{ file: string; remove: () => Promise<void> }> {
  const dir = await mkdtemp(path.join(tmpdir(), 'stagedoor-e2e-file-'));
  const file = path.join(dir, 'heavy.jpg');
  await writeFile(file, content);
  return { file, remove: () => rm(dir, { recursive: true, force: true }) };
}

const sending = (page: Page) => page.getByRole('progressbar', { name: 'Uploading heavy.jpg', exact: true });
async function halfWay(page: Page): Promise<void> {
  await expect
    .poll(async () => Number(await sending(page).getAttribute('value')), { timeout: 30_000 })
    .toBeGreaterThan(2 * MB);
}

test('an upload resumes after a lost connection, can be paused, and resumes after a reload with the same file', async ({
  person,
}) => {
  const { page, context } = await person('creator');
  const { file, remove } = await fileOnDisk(await makeHeavy(12 * MB));
  const offsets = offsetsOf(context);
  await page.goto('/creator/post/add');
  await hydrated(page);
  const network = await slow(page, MB);
  await page.getByLabel('Choose files').setInputFiles(file);
  await expect(page.getByText(/MB\/s · about .* left/)).toBeVisible({ timeout: 30_000 });
  await halfWay(page);

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
  await expect(sending(page)).toBeVisible({ timeout: 60_000 });
  await expect.poll(() => offsets.at(-1)).toBeGreaterThan(0);

  await page.getByRole('button', { name: 'Pause heavy.jpg' }).click();
  await expect(page.getByText('Paused')).toBeVisible();
  await expect(page.getByText(/^Saved \d\d:\d\d$/)).toBeVisible();

  page.on('dialog', (dialog) => void dialog.accept());
  const sent = offsets.length;
  await network.release();
  await page.reload();
  await hydrated(page);
  await expect(page.getByText('Choose the same file again to resume the upload.')).toBeVisible();
  await expect(page.getByText(/\d(?:\.\d)? MB of \d+(?:\.\d)? MB uploaded/)).toBeVisible();
  const choose = page.getByLabel('Choose heavy.jpg again');
  await choose.setInputFiles({ name: 'heavy.jpg', mimeType: 'image/jpeg', buffer: await makeJpeg(20, 20) });
  await expect(page.getByText('That’s a different file.')).toBeVisible();
  // The field for new files recognises it, too.
  await page.getByLabel('Choose files').setInputFiles(file);
  await expect(page.getByText(/, ready$/)).toHaveCount(1, { timeout: 60_000 });
  expect(offsets[sent]).toBeGreaterThan(2 * MB);
  await remove();
});
