import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import type { Media } from '@stagedoor/contract/content/media.ts';
import { type ApiClient, callApi, expect, getBaseUrl } from './fixtures.ts';

const run = promisify(execFile);
/** Positions are only saved in films of more than a minute. */
const SECONDS = 66;
const FILM = `-f lavfi -i testsrc2=s=640x480:r=12:d=${SECONDS} -f lavfi -i sine=f=330:d=${SECONDS}`;
const FILM_OUT = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 24 -c:a aac -shortest -movflags +faststart';

const encodedFiles = new Map<string, Promise<Buffer>>();

function encodeOnce(name: string, args: string): Promise<Buffer> {
  const cached = encodedFiles.get(name);
  if (cached) return cached;
  const encoding = (async () => {
    const dir = await mkdtemp(path.join(tmpdir(), 'stagedoor-film-'));
    try {
      const file = path.join(dir, name);
      await run('ffmpeg', ['-v', 'error', ...args.split(' '), file]);
      return await readFile(file);
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  })();
  encodedFiles.set(name, encoding);
  return encoding;
}

/** 66 s, 640 × 480, H.264 and AAC. It plays as uploaded and gets one lower rendition. */
export const makeFilm = () => encodeOnce('film.mp4', `${FILM} ${FILM_OUT}`);
export const makeClip = () =>
  encodeOnce('clip.mp4', `-f lavfi -i testsrc2=s=320x240:r=12:d=3 -f lavfi -i sine=f=440:d=3 ${FILM_OUT}`);
export const makeMovingPicture = () => encodeOnce('dance.gif', '-f lavfi -i testsrc2=s=320x240:r=10:d=2');
export const makeSound = () => encodeOnce('sound.m4a', '-f lavfi -i sine=f=220:d=24 -c:a aac');

/** Uploads a file as a browser does. Returns its id without waiting for the processing. */
export async function uploadTestFile(context: ApiClient, file: Buffer, name: string, type: string): Promise<string> {
  const shared = { 'tus-resumable': '1.0.0' };
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const created = await context.request.post(`${getBaseUrl()}/files`, {
    headers: {
      ...shared,
      'upload-length': String(file.length),
      'upload-metadata': `filename ${base64(name)},filetype ${base64(type)}`,
    },
  });
  expect(created.status(), await created.text()).toBe(201);
  const location = new URL(created.headers().location ?? '', getBaseUrl());
  const patched = await context.request.patch(location.href, {
    headers: { ...shared, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' },
    data: file,
  });
  expect(patched.status(), await patched.text()).toBe(204);
  return location.pathname.split('/').at(-1) ?? '';
}

export function fetchMedia(context: ApiClient, id: string): Promise<Media> {
  return callApi<Media>(context, 'GET', `/creator/media/${id}`);
}

/** Waits until an upload can be published, or with `isDone` until it is completely processed. */
export async function waitForProcessing(context: ApiClient, id: string, isDone = false): Promise<void> {
  await expect
    .poll(
      async () => {
        const { status, stage } = await fetchMedia(context, id);
        return status === 'ready' && isDone ? stage : status;
      },
      { timeout: 120_000, intervals: [250, 500, 1_000] },
    )
    .toBe(isDone ? 'done' : 'ready');
}

export type PublishedFilm = { postId: string; mediaId: string };

/** Publishes one film or sound, with `isDone` only once all renditions exist. */
export async function publishTestFilm(
  context: ApiClient,
  {
    caption,
    priceUsd = 0,
    kind = 'video',
    isDone = false,
  }: {
    caption: string;
    priceUsd?: number;
    kind?: 'video' | 'audio';
    isDone?: boolean;
  },
): Promise<PublishedFilm> {
  const [file, name, type] =
    kind === 'video' ? [await makeFilm(), 'film.mp4', 'video/mp4'] : [await makeSound(), 'sound.m4a', 'audio/mp4'];
  const mediaId = await uploadTestFile(context, file, name, type);
  await waitForProcessing(context, mediaId, isDone);
  const media = [{ id: mediaId, alt: '' }];
  const { id: postId } = await callApi<{ id: string }>(context, 'POST', '/post', { caption, price: priceUsd, media });
  return { postId, mediaId };
}

export type PlayerState = {
  time: number;
  isPaused: boolean;
  frames: number;
  height: number;
  volume: number;
  isMuted: boolean;
  rate: number;
  /** Buffered seconds after the current position. */
  bufferedSeconds: number;
  hasMediaSource: boolean;
};

/** The state of the first player of a page, read from its element. */
export function getPlayerState(page: Page, nth = 0): Promise<PlayerState> {
  return page
    .locator('video, audio')
    .nth(nth)
    .evaluate((element: HTMLMediaElement) => ({
      time: element.currentTime,
      isPaused: element.paused,
      frames: element instanceof HTMLVideoElement ? element.getVideoPlaybackQuality().totalVideoFrames : 0,
      height: element instanceof HTMLVideoElement ? element.videoHeight : 0,
      volume: element.volume,
      isMuted: element.muted,
      rate: element.playbackRate,
      bufferedSeconds:
        element.buffered.length > 0 ? element.buffered.end(element.buffered.length - 1) - element.currentTime : 0,
      hasMediaSource: element.src.startsWith('blob:'),
    }));
}
