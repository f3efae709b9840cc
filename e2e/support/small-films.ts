/** Films that cost the server little: shared by tests that only watch one, or so small that nothing is transcoded. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Browser } from '@playwright/test';
import { type PublishedFilm, publishTestFilm, uploadTestFile, waitForProcessing } from './films.ts';
import { type ApiClient, callApi, createConfirmedAccount, getBaseUrl, logIn } from './fixtures.ts';

const run = promisify(execFile);
const SECONDS = 66;

let smallFilm: Promise<Buffer> | undefined;

/** 66 s at 320 × 240, H.264 and AAC. It is served as uploaded because there is no lower rendition. */
export function makeSmallFilm(): Promise<Buffer> {
  smallFilm ??= (async () => {
    const dir = await mkdtemp(path.join(tmpdir(), 'stagedoor-film-'));
    try {
      const file = path.join(dir, 'film.mp4');
      const picture = ['-f', 'lavfi', '-i', `smptebars=s=320x240:r=12:d=${SECONDS}`];
      const sound = ['-f', 'lavfi', '-i', `sine=f=330:d=${SECONDS}`];
      const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '24', '-c:a', 'aac'];
      await run('ffmpeg', ['-v', 'error', ...picture, ...sound, ...codecs, '-movflags', '+faststart', file]);
      return await readFile(file);
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  })();
  return smallFilm;
}

export async function publishSmallFilm(
  context: ApiClient,
  { caption, priceUsd = 0 }: { caption: string; priceUsd?: number },
): Promise<PublishedFilm> {
  const mediaId = await uploadTestFile(context, await makeSmallFilm(), 'film.mp4', 'video/mp4');
  await waitForProcessing(context, mediaId);
  const media = [{ id: mediaId, alt: '' }];
  const { id: postId } = await callApi<{ id: string }>(context, 'POST', '/post', { caption, price: priceUsd, media });
  return { postId, mediaId };
}

export type SharedFilm = PublishedFilm & { creatorId: string; username: string; caption: string };

let shared: Promise<SharedFilm> | undefined;

/** A free film of 66 s in 360p and 480p, published once per worker. Tests that change a post publish their own. */
export function getSharedFilm(browser: Browser): Promise<SharedFilm> {
  shared ??= (async () => {
    const { id: creatorId, username } = await createConfirmedAccount('creator');
    const context = await browser.newContext({ baseURL: getBaseUrl() });
    try {
      await logIn(context, username);
      const caption = 'A film';
      return { ...(await publishTestFilm(context, { caption, isDone: true })), creatorId, username, caption };
    } finally {
      await context.close();
    }
  })();
  return shared;
}
