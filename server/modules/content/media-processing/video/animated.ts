/** Animated pictures (GIF, WebP, APNG, AVIF) are converted to short silent videos that loop. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PICTURE_LIMITS } from '@stagedoor/contract/shared/limits.ts';
import { LOOP_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import sharp from 'sharp';
import { assertWholeGif } from '../containers/gif.ts';
import { type AnimationMetadata, readImageSequence } from '../containers/heif.ts';
import { readPngAnimation } from '../containers/png.ts';
import { MEDIA_MESSAGES, MediaError, TransientError } from '../error-messages.ts';
import { findDemuxer } from './inspect.ts';
import { isDiskFull } from './package.ts';
import { type Demuxer, runFfmpeg, TOOL_LIMITS, type ToolWorkspace, toInputArgs } from './tools.ts';

const ANIMATED_TYPES = new Set(['image/gif', 'image/webp', 'image/apng', 'image/avif']);
/** Browsers show a frame of at most 10 ms for 100 ms instead. */
const SHORT_FRAMES = { maxMs: 10, shownMs: 100 };

export function isAnimatedType(contentType: string | null): contentType is string {
  return contentType !== null && ANIMATED_TYPES.has(contentType);
}

export function findStreamDemuxer(contentType: string | null): Demuxer | undefined {
  return isAnimatedType(contentType) ? 'mov' : findDemuxer(contentType ?? '');
}

const toShownDelay = (delayMs: number) => (delayMs > SHORT_FRAMES.maxMs ? delayMs : SHORT_FRAMES.shownMs);

async function readAnimation(file: string, contentType: string): Promise<AnimationMetadata | undefined> {
  switch (contentType) {
    case 'image/gif':
    case 'image/webp': {
      const { pages = 1, delay = [], width, height } = await sharp(file, { limitInputPixels: false }).metadata();
      if (pages > 1 && contentType === 'image/gif') assertWholeGif(await readFile(file));
      return { width, height, delaysMs: Array.from({ length: pages }, (_, at) => delay[at] ?? 0) };
    }
    case 'image/apng':
      return readPngAnimation(await readFile(file));
    case 'image/avif':
      return readImageSequence(await readFile(file));
    default:
      return undefined;
  }
}

/** Returns undefined for a still picture. Throws MediaError if it is damaged, too long or too large. */
export async function findAnimation(file: string, contentType: string): Promise<AnimationMetadata | undefined> {
  const metadata = await readAnimation(file, contentType).catch((error: unknown) => {
    if (error instanceof RangeError) throw new MediaError(MEDIA_MESSAGES.damaged, { cause: error });
    return undefined;
  });
  if (!metadata || metadata.delaysMs.length < 2) return undefined;
  const animation = { ...metadata, delaysMs: metadata.delaysMs.map(toShownDelay) };
  const { width, height, delaysMs } = animation;
  if (delaysMs.length > LOOP_LIMITS.maxFrames || sumSeconds(animation) > LOOP_LIMITS.maxSeconds)
    throw new MediaError(MEDIA_MESSAGES.loopTooLong);
  const isFrameTooLarge =
    width * height > PICTURE_LIMITS.maxPixels || Math.max(width, height) > PICTURE_LIMITS.maxSidePixels;
  if (isFrameTooLarge || width * height * delaysMs.length > LOOP_LIMITS.maxPixels)
    throw new MediaError(MEDIA_MESSAGES.loopTooLarge);
  return animation;
}

function sumSeconds({ delaysMs }: AnimationMetadata): number {
  return delaysMs.reduce((sum, delay) => sum + delay, 0) / 1000;
}

const BATCH_PIXELS = 24_000_000;
const SIDES = { longer: 1920, shorter: 1080 };
/** Shorter videos are repeated, because players need a moment to restart a loop. */
const MIN_SECONDS = 3;
const FRAME_RATES = { usual: 25, fine: 50 };

const WHITE = '#ffffff';

/** Security: only these demuxers and decoders read a file, whatever it claims to be. */
function toInputGuardArgs(formats: string, decoders: string): string[] {
  return ['-protocol_whitelist', 'file', '-format_whitelist', formats, '-codec_whitelist', decoders];
}

function getVideoSize({ width, height }: AnimationMetadata): [width: number, height: number] {
  const scale = Math.min(1, SIDES.longer / Math.max(width, height), SIDES.shorter / Math.min(width, height));
  const even = (side: number) => Math.max(2, 2 * Math.round((side * scale) / 2));
  return [even(width), even(height)];
}

const toFrameFile = (at: number) => `frame-${at}.png`;

async function writeFramesWithSharp(
  { dir, signal }: ToolWorkspace,
  file: string,
  animation: AnimationMetadata,
): Promise<void> {
  const [width, height] = getVideoSize(animation);
  const count = animation.delaysMs.length;
  const batch = Math.max(1, Math.floor(BATCH_PIXELS / (animation.width * animation.height)));
  for (let first = 0; first < count; first += batch) {
    signal?.throwIfAborted();
    const pages = Math.min(batch, count - first);
    const { data, info } = await sharp(file, { page: first, pages, failOn: 'truncated', limitInputPixels: false })
      .flatten({ background: WHITE })
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    const raw = { width: info.width, height: info.height / pages, channels: info.channels };
    const bytes = raw.width * raw.height * raw.channels;
    for (let at = 0; at < pages; at += 1)
      await sharp(data.subarray(at * bytes, (at + 1) * bytes), { raw })
        .resize({ width, height, fit: 'fill' })
        .png({ compressionLevel: 1 })
        .toFile(path.join(dir, toFrameFile(first + at)));
  }
}

async function writeFramesWithFfmpeg(
  { tools, dir, signal }: ToolWorkspace,
  file: string,
  contentType: string,
  animation: AnimationMetadata,
): Promise<void> {
  const [width, height] = getVideoSize(animation);
  const isPng = contentType === 'image/apng';
  const input = isPng
    ? [...toInputGuardArgs('apng', 'apng,png'), '-f', 'apng', '-i', `file:${file}`]
    : toInputArgs('mov', file);
  const scale = `scale=${width}:${height}:flags=bicubic,format=rgba`;
  const frames = ['-map', '0:v:0', '-vf', scale, '-vsync', 'passthrough', '-frames:v', `${animation.delaysMs.length}`];
  const args = ['-xerror', ...input, ...frames, '-start_number', '0', '-f', 'image2', '-c:v', 'png', 'tool-%d.png'];
  await runFfmpeg(tools, { args, cwd: dir, limits: { ...TOOL_LIMITS.glimpse, signal } });
  for (const at of animation.delaysMs.keys()) {
    signal?.throwIfAborted();
    const toolFrame = path.join(dir, `tool-${at}.png`);
    await sharp(await readFile(toolFrame))
      .flatten({ background: WHITE })
      .png({ compressionLevel: 1 })
      .toFile(path.join(dir, toFrameFile(at)));
    await rm(toolFrame);
  }
}

function toConcatList({ delaysMs }: AnimationMetadata): string {
  const lines = delaysMs.flatMap((delay, at) => [`file ${toFrameFile(at)}`, `duration ${delay / 1000}`]);
  // The duration of the last frame counts only if another entry follows.
  return ['ffconcat version 1.0', ...lines, `file ${toFrameFile(delaysMs.length - 1)}`].join('\n');
}

function toVideoFilter(animation: AnimationMetadata): string {
  const seconds = sumSeconds(animation);
  const rate = animation.delaysMs.some((delay) => delay < 1000 / FRAME_RATES.usual)
    ? FRAME_RATES.fine
    : FRAME_RATES.usual;
  const repeats = Math.ceil(MIN_SECONDS / seconds) - 1;
  const frames = Math.max(1, Math.round(seconds * rate));
  return [
    `fps=${rate},trim=end_frame=${frames}`,
    'scale=out_color_matrix=bt709:out_range=tv,setsar=1,format=yuv420p',
    ...(repeats > 0 ? [`loop=loop=${repeats}:size=${frames}`] : []),
  ].join(',');
}

const COLOR_ARGS = ['-color_primaries', 'bt709', '-color_trc', 'bt709', '-colorspace', 'bt709', '-color_range', 'tv'];

/** Returns its path. Throws MediaError if it is damaged. */
export async function makeLoop(workspace: ToolWorkspace, file: string, contentType: string): Promise<string> {
  const animation = await findAnimation(file, contentType);
  if (!animation) throw new MediaError(MEDIA_MESSAGES.damaged);
  const { tools, dir, signal } = workspace;
  const isDecoded = contentType === 'image/gif' || contentType === 'image/webp';
  try {
    await (isDecoded
      ? writeFramesWithSharp(workspace, file, animation)
      : writeFramesWithFfmpeg(workspace, file, contentType, animation));
  } catch (error) {
    signal?.throwIfAborted();
    if (isDiskFull(error) || error instanceof TransientError) throw error;
    throw new MediaError(MEDIA_MESSAGES.damaged, { cause: error });
  }
  await writeFile(path.join(dir, 'frames.ffconcat'), toConcatList(animation));
  const input = [...toInputGuardArgs('concat,image2,png_pipe', 'png'), '-f', 'concat', '-i', 'file:frames.ffconcat'];
  const coder = ['-an', '-c:v', 'libx264', '-preset', 'veryfast', '-profile:v', 'high', '-crf', '20', '-g', '100'];
  await runFfmpeg(tools, {
    args: [...input, '-map', '0:v:0', '-vf', toVideoFilter(animation), ...coder, ...COLOR_ARGS, 'loop.mp4'],
    cwd: dir,
    limits: { ...TOOL_LIMITS.glimpse, signal },
  });
  return path.join(dir, 'loop.mp4');
}
