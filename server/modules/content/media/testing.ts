import { randomUUID } from 'node:crypto';
import { type Media, media as mediaView } from '@stagedoor/contract/content/media.ts';
import sharp from 'sharp';
import * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import { createId } from '../../../platform/ids.ts';
import type { Inject } from '../../../testing/app.ts';
import { previewKey, variantKey } from './keys.ts';
import type { StreamMetadata } from './store.ts';

export type PictureOptions = { width?: number; height?: number; color?: string; seed?: number };

export async function createPictureFile({
  width = 1200,
  height = 900,
  color = '#996655',
  seed = 1,
}: PictureOptions = {}): Promise<Buffer> {
  const patchSide = Math.max(1, Math.round(Math.min(width, height) / (2 + (seed % 5))));
  const patch = await sharp({
    create: {
      width: patchSide,
      height: patchSide,
      channels: 3,
      background: { r: (seed * 53) % 256, g: (seed * 97) % 256, b: (seed * 31) % 256 },
    },
  })
    .png()
    .toBuffer();
  return sharp({ create: { width, height, channels: 3, background: color } })
    .composite([{ input: patch, gravity: 'northwest' }])
    .jpeg({ quality: 85 })
    .toBuffer();
}

let tinyFiles: Promise<Record<'webp' | 'jpg', Buffer>> | undefined;

async function createTinyFiles(): Promise<Record<'webp' | 'jpg', Buffer>> {
  const image = sharp({ create: { width: 4, height: 4, channels: 3, background: '#996655' } });
  return { webp: await image.clone().webp().toBuffer(), jpg: await image.clone().jpeg().toBuffer() };
}

export type ReadyPictureOptions = {
  width?: number;
  height?: number;
  /** Stores small placeholder files. */
  hasFiles?: boolean;
  createdAt?: Date;
};

/** Its files exist only if requested. */
export async function makeReadyPicture(
  ctx: Context,
  creatorId: string,
  { width = 1200, height = 1500, hasFiles = false, createdAt }: ReadyPictureOptions = {},
): Promise<string> {
  const id = createId(ctx.clock);
  const at = createdAt ?? ctx.clock.now();
  const widths = [96, 384, 640, 1080].filter((candidate) => candidate <= width);
  await ctx.db.query
    .insertInto('media')
    .values({
      id,
      owner_id: creatorId,
      status: 'ready',
      byte_size: 240_000,
      content_type: 'image/jpeg',
      file_name: 'picture.jpg',
      width,
      height,
      webp_widths: widths,
      jpeg_width: 1080,
      thumbhash: 'HBgGBQAHh4h3eHh4iIiIh3dwBwAAAAA=',
      preview_thumbhash: 'GxgGBQAHh4h3eHh4iIiIh3dwBwAAAAA=',
      preview_height: Math.round((640 * height) / width),
      created_at: at,
      finished_at: at,
    })
    .execute();
  if (hasFiles) {
    tinyFiles ??= createTinyFiles();
    const { webp, jpg } = await tinyFiles;
    for (const variantWidth of widths)
      await ctx.storage.put(variantKey(id, `${variantWidth}.webp`), webp, 'image/webp');
    await ctx.storage.put(variantKey(id, '1080.jpg'), jpg, 'image/jpeg');
    await ctx.storage.put(previewKey(id, 'preview.webp'), webp, 'image/webp');
    await ctx.storage.put(previewKey(id, 'preview.jpg'), jpg, 'image/jpeg');
  }
  return id;
}

export type ReadyStreamOptions = { kind: 'video' | 'audio'; seconds?: number; createdAt?: Date };

/** Its files do not exist. */
export async function makeReadyStream(
  ctx: Context,
  creatorId: string,
  { kind, seconds = 60, createdAt }: ReadyStreamOptions,
): Promise<string> {
  const isVideo = kind === 'video';
  const id = await makeReadyPicture(ctx, creatorId, { width: 1280, height: 720, ...(createdAt ? { createdAt } : {}) });
  const stream: StreamMetadata = {
    hls: isVideo ? 'h/master.m3u8' : null,
    file: isVideo ? 'f/video.mp4' : 'f/audio.m4a',
    sprite: null,
    waveform: isVideo ? [] : [0.2, 1, 0.4],
    clip: null,
  };
  await ctx.db.query
    .updateTable('media')
    .set({ kind, duration_seconds: seconds, stream: JSON.stringify(stream) })
    .where('id', '=', id)
    .execute();
  return id;
}

export async function setMediaStatus(
  ctx: Context,
  id: string,
  status: 'processing' | 'failed' | 'ready',
): Promise<void> {
  await ctx.db.query
    .updateTable('media')
    .set({ status, failure: status === 'failed' ? 'Broken.' : null })
    .where('id', '=', id)
    .execute();
}

type TestClient = { readonly inject: Inject };

/** `price` in USD. */
export async function publishPost(
  creator: TestClient,
  mediaIds: readonly string[],
  { price = 0, caption = 'A quiet morning' }: { price?: number; caption?: string } = {},
): Promise<string> {
  const body = { caption, price, media: mediaIds.map((id) => ({ id, alt: '' })) };
  const response = await creator.inject('POST', '/api/post', body, { 'idempotency-key': randomUUID() });
  if (response.statusCode !== 200) throw new Error(`publishing answered ${response.statusCode}: ${response.body}`);
  return z.parse(z.object({ id: z.string() }), response.json()).id;
}

export async function waitForMedia(
  owner: TestClient,
  id: string,
  isDone: (view: Media) => boolean,
  timeoutMs = 30_000,
): Promise<Media> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const response = await owner.inject('GET', `/api/creator/media/${id}`);
    const view = z.parse(mediaView, response.json());
    if (isDone(view)) return view;
    if (Date.now() > deadline || view.status === 'failed')
      throw new Error(`the medium is still ${view.status}, ${view.stage}: ${view.failure}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export async function fetchRenditions(as: TestClient, address: string) {
  const sendRequest = async (url: string, status: number, headers: Record<string, string> = {}) => {
    const response = await as.inject('GET', url, undefined, headers);
    if (response.statusCode !== status) throw new Error(`${url} answered ${response.statusCode}`);
    return response;
  };
  const resolveUrl = (url: string, name: string) => new URL(name, `http://x${url}`).pathname;
  const lines = (await sendRequest(address, 200)).body.split('\n');
  const renditions: { resolution: string; codecs: string; bytes: Buffer }[] = [];
  for (const [at, line] of lines.entries()) {
    if (!line.startsWith('#EXT-X-STREAM-INF')) continue;
    const rendition = resolveUrl(address, lines[at + 1] ?? '');
    const list = (await sendRequest(rendition, 200)).body;
    const name = /URI="([^"]+)"/.exec(list)?.[1] ?? '';
    const parts: Buffer[] = [];
    for (const [, length, start] of list.matchAll(/BYTERANGE[:=]"?(\d+)@(\d+)/g)) {
      const range = `bytes=${start}-${Number(start) + Number(length) - 1}`;
      parts.push((await sendRequest(resolveUrl(rendition, name), 206, { range })).rawPayload);
    }
    renditions.push({
      resolution: /RESOLUTION=(\d+x\d+)/.exec(line)?.[1] ?? '',
      codecs: /CODECS="([^"]*)"/.exec(line)?.[1] ?? '',
      bytes: Buffer.concat(parts),
    });
  }
  return renditions;
}
