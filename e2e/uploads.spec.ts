/** Uploads that are broken off: the connection, the page, the server. Each goes on where it stopped. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BrowserContext, Page } from '@playwright/test';
import { expect, expectAccessible, hydrated, PASSWORD, test } from './support/fixtures.ts';
import { makeJpeg } from './support/money.ts';
import { freePort, makeDataDir, removeDataDir, startServer } from './support/server.ts';

const MB = 1024 * 1024;

/** A picture with much behind its end, which decoders do not mind; it takes a while to be sent. */
async function makeHeavy(bytes: number): Promise<Buffer> {
  return Buffer.concat([await makeJpeg(800, 600), Buffer.alloc(bytes)]);
}

/** Slows what the page sends; answers what cuts its connection and gives it back. */
async function slow(page: Page, bytesPerSecond: number): Promise<(isOffline: boolean) => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  const set = async (offline: boolean) => {
    const conditions = { offline, latency: 5, downloadThroughput: -1, uploadThroughput: bytesPerSecond };
    await session.send('Network.emulateNetworkConditions', conditions);
  };
  await set(false);
  return set;
}

/** Where each part that is sent begins. */
function offsetsOf(context: BrowserContext): number[] {
  const offsets: number[] = [];
  context.on('request', (request) => {
    if (request.method() === 'PATCH' && request.url().includes('/files/'))
      offsets.push(Number(request.headers()['upload-offset']));
  });
  return offsets;
}

/** A file on disk, which a browser knows again by name, size and date. */
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

test('a lost connection is waited out, a pause holds, and a reload goes on with the file chosen again', async ({
  person,
}) => {
  test.setTimeout(150_000);
  const { page, context } = await person('creator');
  const { file, remove } = await fileOnDisk(await makeHeavy(16 * MB));
  const offsets = offsetsOf(context);
  await page.goto('/creator/post/add');
  await hydrated(page);
  const cut = await slow(page, 1.5 * MB);
  await page.getByLabel('Choose files').setInputFiles(file);
  await expect(page.getByText(/MB\/s · about .* left/)).toBeVisible({ timeout: 30_000 });
  await halfWay(page);

  await cut(true);
  await expect(page.getByText('Connection lost. It goes on by itself.')).toBeVisible({ timeout: 30_000 });
  await cut(false);
  await expect(sending(page)).toBeVisible({ timeout: 30_000 });
  await expect.poll(() => offsets.at(-1)).toBeGreaterThan(0);

  await page.getByRole('button', { name: 'Pause heavy.jpg' }).click();
  await expect(page.getByText('Paused')).toBeVisible();
  await expect(page.getByText(/^Saved \d\d:\d\d$/)).toBeVisible();

  page.on('dialog', (dialog) => void dialog.accept());
  const sent = offsets.length;
  await page.reload();
  await hydrated(page);
  await expect(page.getByText('The browser let go of this file')).toBeVisible();
  await expect(page.getByText(/\d(?:\.\d)? MB of 17 MB are here/)).toBeVisible();
  const choose = page.getByLabel('Choose heavy.jpg again');
  await choose.setInputFiles({ name: 'heavy.jpg', mimeType: 'image/jpeg', buffer: await makeJpeg(20, 20) });
  await expect(page.getByText('That is another file.')).toBeVisible();
  await choose.setInputFiles(file);
  await expect(page.getByText(/, ready$/)).toBeVisible({ timeout: 60_000 });
  expect(offsets[sent]).toBeGreaterThan(2 * MB);
  await page.getByLabel('Caption').fill('Whole again');
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(page).toHaveURL(/\/creator\/feed$/);
  await remove();
});

test('an upload straight into the library goes on after a reload too, and leaves the list when it is whole', async ({
  person,
}) => {
  test.setTimeout(150_000);
  const { page, context } = await person('creator');
  const { file, remove } = await fileOnDisk(await makeHeavy(12 * MB));
  const offsets = offsetsOf(context);
  await page.goto('/creator/media');
  await hydrated(page);
  await slow(page, 1.5 * MB);
  await page.getByLabel('Files to upload').setInputFiles(file);
  await halfWay(page);
  await page.getByRole('button', { name: 'Pause heavy.jpg' }).click();
  await expect(page.getByText('Paused')).toBeVisible();

  page.on('dialog', (dialog) => void dialog.accept());
  const sent = offsets.length;
  await page.reload();
  await hydrated(page);
  const ways = page.getByRole('list', { name: 'On their way' });
  await expect(ways.getByText('The browser let go of this file')).toBeVisible();
  await expectAccessible(page);
  // Chosen anew by the page's own button, it is known again.
  await page.getByLabel('Files to upload').setInputFiles(file);
  await expect(ways).toBeHidden({ timeout: 60_000 });
  expect(offsets[sent]).toBeGreaterThan(2 * MB);
  await expect(page.getByRole('list', { name: 'Uploads' }).getByText('heavy.jpg')).toBeVisible({ timeout: 60_000 });
  await page.reload();
  await hydrated(page);
  await expect(page.getByRole('list', { name: 'Uploads' }).getByRole('listitem')).toHaveCount(1);
  await expect(ways).toBeHidden();
  await remove();
});

test('a server that is killed and comes back is gone on with', async ({ browser }) => {
  test.setTimeout(180_000);
  const [dataDir, port] = [await makeDataDir(), await freePort()];
  let server = await startServer({ dataDir, port, hasDemo: false });
  const context = await browser.newContext({ baseURL: server.url, reducedMotion: 'reduce' });
  try {
    const person = { username: 'heavy.maker', email: 'heavy@example.org', password: PASSWORD };
    const registered = await context.request.post(`${server.url}/api/auth/register`, {
      data: { ...person, accountType: 'creator', isGiveConsent: true },
    });
    expect(registered.status()).toBe(200);
    let link: string | undefined;
    await expect
      .poll(async () => {
        const mails = await (await context.request.get(`${server.url}/api/dev/mailbox?to=${person.email}`)).json();
        link = mails.data[0]?.links[0];
        return link;
      })
      .toBeDefined();
    const token = new URL(link ?? '').searchParams.get('token');
    await context.request.post(`${server.url}/api/auth/verify`, { data: { token } });
    await context.request.post(`${server.url}/api/auth/login`, { data: person });

    const page = await context.newPage();
    const offsets = offsetsOf(context);
    await page.goto('/creator/post/add');
    await hydrated(page);
    await slow(page, 2 * MB);
    const { file, remove } = await fileOnDisk(await makeHeavy(16 * MB));
    await page.getByLabel('Choose files').setInputFiles(file);
    await halfWay(page);
    await server.kill();
    await expect(page.getByText('Connection lost. It goes on by itself.')).toBeVisible({ timeout: 30_000 });
    const sent = offsets.length;
    server = await startServer({ dataDir, port, hasDemo: false });
    await expect(page.getByText(/, ready$/)).toBeVisible({ timeout: 60_000 });
    expect(Math.max(...offsets.slice(sent))).toBeGreaterThan(MB);
    await remove();
  } finally {
    await context.close();
    await server.end();
    await removeDataDir(dataDir);
  }
});
