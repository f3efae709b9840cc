import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import type { Media } from '@stagedoor/contract/media.ts';
import { type ApiClient, baseUrl, callApi, expect } from './fixtures.ts';

const run = promisify(execFile);
/** Positions are only saved in films of more than a minute. */
const SECONDS = 66;
const FILM = `-f lavfi -i testsrc2=s=640x480:r=12:d=${SECONDS} -f lavfi -i sine=f=330:d=${SECONDS}`;
const FILM_OUT = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 24 -c:a aac -shortest -movflags +faststart';

const made = new Map<string, Promise<Buffer>>();

function make(name: string, args: string): Promise<Buffer> {
  const known = made.get(name);
  if (known) return known;
  const making = (async () => {
    const dir = await mkdtemp(path.join(tmpdir(), 'stagedoor-film-'));
    try {
      const file = path.join(dir, name);
      await run('ffmpeg', ['-v', 'error', ...args.split(' '), file]);
      return await readFile(file);
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  })();
  made.set(name, making);
  return making;
}

/** 66 s, 640 × 480, H.264 and AAC. It plays as uploaded and gets one lower rendition. */
export const makeFilm = () => make('film.mp4', `${FILM} ${FILM_OUT}`);
export const makeClip = () =>
  make('clip.mp4', `-f lavfi -i testsrc2=s=320x240:r=12:d=3 -f lavfi -i sine=f=440:d=3 ${FILM_OUT}`);
export const makeMovingPicture = () => make('dance.gif', '-f lavfi -i testsrc2=s=320x240:r=10:d=2');
export const makeSound = () => make('sound.m4a', '-f lavfi -i sine=f=220:d=24 -c:a aac');

/** Uploads a file as a browser does. Returns its id without waiting for the processing. */
export async function uploadFile(context: ApiClient, file: Buffer, name: string, type: string): Promise<string> {
  const shared = { 'tus-resumable': '1.0.0' };
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const created = await context.request.post(`${baseUrl()}/files`, {
    headers: {
      ...shared,
      'upload-length': String(file.length),
      'upload-metadata': `filename ${base64(name)},filetype ${base64(type)}`,
    },
  });
  expect(created.status(), await created.text()).toBe(201);
  const location = new URL(created.headers().location ?? '', baseUrl());
  const patched = await context.request.patch(location.href, {
    headers: { ...shared, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' },
    data: file,
  });
  expect(patched.status(), await patched.text()).toBe(204);
  return location.pathname.split('/').at(-1) ?? '';
}

export function mediaOf(context: ApiClient, id: string): Promise<Media> {
  return callApi<Media>(context, 'GET', `/creator/media/${id}`);
}

/** Waits until an upload can be published, or with `isDone` until it is completely processed. */
export async function untilReady(context: ApiClient, id: string, isDone = false): Promise<void> {
  await expect
    .poll(
      async () => {
        const { status, stage } = await mediaOf(context, id);
        return status === 'ready' && isDone ? stage : status;
      },
      { timeout: 120_000, intervals: [250, 500, 1_000] },
    )
    .toBe(isDone ? 'done' : 'ready');
}

export type Shown = { postId: string; mediaId: string };

/** Publishes one film or sound, with `isDone` only once all renditions exist. */
export async function publishFilm(
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
): Promise<Shown> {
  const [file, name, type] =
    kind === 'video' ? [await makeFilm(), 'film.mp4', 'video/mp4'] : [await makeSound(), 'sound.m4a', 'audio/mp4'];
  const mediaId = await uploadFile(context, file, name, type);
  await untilReady(context, mediaId, isDone);
  const media = [{ id: mediaId, alt: '' }];
  const { id: postId } = await callApi<{ id: string }>(context, 'POST', '/post', { caption, price: priceUsd, media });
  return { postId, mediaId };
}

export type Played = {
  time: number;
  isPaused: boolean;
  frames: number;
  height: number;
  volume: number;
  isMuted: boolean;
  rate: number;
  /** Buffered seconds after the current position. */
  ahead: number;
  isByScript: boolean;
};

/** The state of the first player of a page, read from its element. */
export function played(page: Page, nth = 0): Promise<Played> {
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
      ahead: element.buffered.length > 0 ? element.buffered.end(element.buffered.length - 1) - element.currentTime : 0,
      isByScript: element.src.startsWith('blob:'),
    }));
}
