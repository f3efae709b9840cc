/** Animated pictures (GIF, WebP, APNG, AVIF) are converted to short silent videos that loop. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { LOOP } from '@stagedoor/contract/atoms/room-limits.ts';
import sharp from 'sharp';
import { assertWholeGif } from '../formats/gif.ts';
import { type Movement, readSequence } from '../formats/heif.ts';
import { readFrames } from '../formats/png.ts';
import { MachineError, MediaError, SENTENCES } from '../sentences.ts';
import { demuxerOf } from './inspect.ts';
import { type Bench, isFull } from './package.ts';
import { type Demuxer, inputOf, LIMITS, runFfmpeg } from './tools.ts';

const MOVING = new Set(['image/gif', 'image/webp', 'image/apng', 'image/avif']);
/** Browsers show a frame of at most 10 ms for 100 ms instead. */
const SHORTEST = { seenMs: 10, insteadMs: 100 };

export function isMovingPicture(contentType: string | null): contentType is string {
  return contentType !== null && MOVING.has(contentType);
}

export function readerOf(contentType: string | null): Demuxer | undefined {
  return isMovingPicture(contentType) ? 'mov' : demuxerOf(contentType ?? '');
}

const seen = (delayMs: number) => (delayMs > SHORTEST.seenMs ? delayMs : SHORTEST.insteadMs);

async function look(file: string, contentType: string): Promise<Movement | undefined> {
  switch (contentType) {
    case 'image/gif':
    case 'image/webp': {
      const { pages = 1, delay = [], width, height } = await sharp(file, { limitInputPixels: false }).metadata();
      if (pages > 1 && contentType === 'image/gif') assertWholeGif(await readFile(file));
      return { width, height, delaysMs: Array.from({ length: pages }, (_, at) => delay[at] ?? 0) };
    }
    case 'image/apng':
      return readFrames(await readFile(file));
    case 'image/avif':
      return readSequence(await readFile(file));
    default:
      return undefined;
  }
}

/** Returns undefined for a still picture. Throws MediaError if it is damaged, too long or too large. */
export async function movementOf(file: string, contentType: string): Promise<Movement | undefined> {
  const found = await look(file, contentType).catch((error: unknown) => {
    if (error instanceof RangeError) throw new MediaError(SENTENCES.damaged, { cause: error });
    return undefined;
  });
  if (!found || found.delaysMs.length < 2) return undefined;
  const movement = { ...found, delaysMs: found.delaysMs.map(seen) };
  const { width, height, delaysMs } = movement;
  if (delaysMs.length > LOOP.maxFrames || secondsOf(movement) > LOOP.maxSeconds)
    throw new MediaError(SENTENCES.longLoop);
  if (width * height * delaysMs.length > LOOP.maxPixels) throw new MediaError(SENTENCES.largeLoop);
  return movement;
}

function secondsOf({ delaysMs }: Movement): number {
  return delaysMs.reduce((sum, delay) => sum + delay, 0) / 1000;
}

const BATCH_PIXELS = 24_000_000;
const SIDES = { longer: 1920, shorter: 1080 };
/** Shorter videos are repeated, because players need a moment to restart a loop. */
const LEAST_SECONDS = 3;
const RATES = { usual: 25, fine: 50 };

const WHITE = '#ffffff';

/** Security: only these demuxers and decoders read a file, whatever it claims to be. */
function only(formats: string, decoders: string): string[] {
  return ['-protocol_whitelist', 'file', '-format_whitelist', formats, '-codec_whitelist', decoders];
}

function sizeOf({ width, height }: Movement): [width: number, height: number] {
  const scale = Math.min(1, SIDES.longer / Math.max(width, height), SIDES.shorter / Math.min(width, height));
  const even = (side: number) => Math.max(2, 2 * Math.round((side * scale) / 2));
  return [even(width), even(height)];
}

const frameFile = (at: number) => `frame-${at}.png`;

async function writeDecoded({ dir, signal }: Bench, file: string, movement: Movement): Promise<void> {
  const [width, height] = sizeOf(movement);
  const count = movement.delaysMs.length;
  const batch = Math.max(1, Math.floor(BATCH_PIXELS / (movement.width * movement.height)));
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
        .toFile(path.join(dir, frameFile(first + at)));
  }
}

async function writeByTool(
  { tools, dir, signal }: Bench,
  file: string,
  contentType: string,
  movement: Movement,
): Promise<void> {
  const [width, height] = sizeOf(movement);
  const isPng = contentType === 'image/apng';
  const input = isPng ? [...only('apng', 'apng,png'), '-f', 'apng', '-i', `file:${file}`] : inputOf('mov', file);
  const scale = `scale=${width}:${height}:flags=bicubic,format=rgba`;
  const frames = ['-map', '0:v:0', '-vf', scale, '-vsync', 'passthrough', '-frames:v', `${movement.delaysMs.length}`];
  const args = ['-xerror', ...input, ...frames, '-start_number', '0', '-f', 'image2', '-c:v', 'png', 'tool-%d.png'];
  await runFfmpeg(tools, { args, cwd: dir, limits: { ...LIMITS.glimpse, signal } });
  for (const at of movement.delaysMs.keys()) {
    signal?.throwIfAborted();
    const given = path.join(dir, `tool-${at}.png`);
    await sharp(await readFile(given))
      .flatten({ background: WHITE })
      .png({ compressionLevel: 1 })
      .toFile(path.join(dir, frameFile(at)));
    await rm(given);
  }
}

function listOf({ delaysMs }: Movement): string {
  const lines = delaysMs.flatMap((delay, at) => [`file ${frameFile(at)}`, `duration ${delay / 1000}`]);
  // The duration of the last frame counts only if another entry follows.
  return ['ffconcat version 1.0', ...lines, `file ${frameFile(delaysMs.length - 1)}`].join('\n');
}

function filterOf(movement: Movement): string {
  const seconds = secondsOf(movement);
  const rate = movement.delaysMs.some((delay) => delay < 1000 / RATES.usual) ? RATES.fine : RATES.usual;
  const repeats = Math.ceil(LEAST_SECONDS / seconds) - 1;
  const frames = Math.max(1, Math.round(seconds * rate));
  return [
    `fps=${rate},trim=end_frame=${frames}`,
    'scale=out_color_matrix=bt709:out_range=tv,setsar=1,format=yuv420p',
    ...(repeats > 0 ? [`loop=loop=${repeats}:size=${frames}`] : []),
  ].join(',');
}

const COLOURS = ['-color_primaries', 'bt709', '-color_trc', 'bt709', '-colorspace', 'bt709', '-color_range', 'tv'];

/** Returns its path. Throws MediaError if it is damaged. */
export async function makeLoop(bench: Bench, file: string, contentType: string): Promise<string> {
  const movement = await movementOf(file, contentType);
  if (!movement) throw new MediaError(SENTENCES.damaged);
  const { tools, dir, signal } = bench;
  const isDecoded = contentType === 'image/gif' || contentType === 'image/webp';
  try {
    await (isDecoded ? writeDecoded(bench, file, movement) : writeByTool(bench, file, contentType, movement));
  } catch (error) {
    signal?.throwIfAborted();
    if (isFull(error) || error instanceof MachineError) throw error;
    throw new MediaError(SENTENCES.damaged, { cause: error });
  }
  await writeFile(path.join(dir, 'frames.ffconcat'), listOf(movement));
  const input = [...only('concat,image2,png_pipe', 'png'), '-f', 'concat', '-i', 'file:frames.ffconcat'];
  const coder = ['-an', '-c:v', 'libx264', '-preset', 'veryfast', '-profile:v', 'high', '-crf', '20', '-g', '100'];
  await runFfmpeg(tools, {
    args: [...input, '-map', '0:v:0', '-vf', filterOf(movement), ...coder, ...COLOURS, 'loop.mp4'],
    cwd: dir,
    limits: { ...LIMITS.glimpse, signal },
  });
  return path.join(dir, 'loop.mp4');
}
