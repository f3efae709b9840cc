import { VIDEO } from '@stagedoor/contract/atoms/limits.ts';
import sharp from 'sharp';
import { MediaError, SENTENCES } from '../sentences.ts';
import type { Source } from './inspect.ts';
import { asMediaError, type Bench, STRIPPED } from './package.ts';
import { inputOf, LIMITS, QUIET, runTool } from './tools.ts';

/** EBU R 128 as the large services use it: -16 LUFS, peaks below -1.5 dB. */
const LOUDNESS = 'loudnorm=I=-16:TP=-1.5:LRA=11';
const SAMPLE_RATE = 4_000;
/** One value covers a twentieth of a second. */
const GRAIN = SAMPLE_RATE / 20;
const MOST_VALUES = 400;

export class Peaks {
  readonly #grains: number[] = [];
  #peak = 0;
  #count = 0;
  #odd: number | undefined;

  add(chunk: Buffer): void {
    let at = 0;
    if (this.#odd !== undefined && chunk.length > 0) {
      this.#sample((chunk.readInt8(0) << 8) | this.#odd | 0);
      this.#odd = undefined;
      at = 1;
    }
    for (; at + 1 < chunk.length; at += 2) this.#sample(chunk.readInt16LE(at));
    if (at < chunk.length) this.#odd = chunk[at];
  }

  #sample(value: number): void {
    const loud = Math.abs(value);
    if (loud > this.#peak) this.#peak = loud;
    this.#count += 1;
    if (this.#count < GRAIN) return;
    this.#grains.push(this.#peak);
    this.#peak = 0;
    this.#count = 0;
  }

  get seconds(): number {
    return (this.#grains.length * GRAIN + this.#count) / SAMPLE_RATE;
  }

  /** Returns values from 0 to 1, relative to the loudest. */
  waveform(): number[] {
    const length = Math.min(MOST_VALUES, this.#grains.length);
    const values = Array.from({ length }, (_, at) => {
      const from = Math.floor((at * this.#grains.length) / length);
      const to = Math.max(from + 1, Math.floor(((at + 1) * this.#grains.length) / length));
      return Math.max(...this.#grains.slice(from, to));
    });
    const loudest = Math.max(1, ...values);
    return values.map((value) => Math.round((value / loudest) * 100) / 100);
  }
}

export type Sound = { seconds: number; waveform: number[] };

/** Throws MediaError for a file that cannot be decoded or is too long. */
export async function normalise(
  { tools, dir, signal }: Bench,
  file: string,
  source: Source,
  onProgress?: (done: number) => void,
): Promise<Sound> {
  const peaks = new Peaks();
  const limit = ['-t', String(VIDEO.maxSeconds + 1)];
  const args = [
    ...QUIET,
    ...inputOf(source.demuxer, file),
    ...['-filter_complex', `[0:a:0]${LOUDNESS},aresample=48000,asplit=2[loud][shape]`],
    ...[
      '-map',
      '[loud]',
      ...STRIPPED,
      '-vn',
      '-c:a',
      'aac',
      '-b:a',
      '160k',
      '-ac',
      source.audio?.channels === 1 ? '1' : '2',
    ],
    ...[...limit, '-movflags', '+faststart', '-f', 'mp4', 'audio.m4a'],
    ...['-map', '[shape]', ...limit, '-ac', '1', '-ar', String(SAMPLE_RATE), '-f', 's16le', 'pipe:1'],
  ];
  try {
    await runTool(tools, 'ffmpeg', {
      args,
      cwd: dir,
      limits: { ...LIMITS.encode, signal },
      onData: (chunk) => {
        peaks.add(chunk);
        if (source.seconds > 0) onProgress?.(Math.min(1, peaks.seconds / source.seconds));
      },
    });
  } catch (error) {
    throw asMediaError(error, SENTENCES.damagedAudio);
  }
  if (peaks.seconds > VIDEO.maxSeconds) throw new MediaError(SENTENCES.long);
  if (peaks.seconds < 0.05 || peaks.seconds < source.seconds * 0.5 - 2) throw new MediaError(SENTENCES.damagedAudio);
  return { seconds: peaks.seconds, waveform: peaks.waveform() };
}

export async function embeddedCover(
  { tools, dir, signal }: Bench,
  file: string,
  source: Source,
): Promise<Buffer | undefined> {
  if (source.cover === null) return undefined;
  const args = [...QUIET, ...inputOf(source.demuxer, file), '-map', `0:${source.cover}`, '-frames:v', '1'];
  const jpeg = ['-c:v', 'mjpeg', '-q:v', '2', '-f', 'image2pipe', 'pipe:1'];
  const picture = await runTool(tools, 'ffmpeg', {
    args: [...args, ...jpeg],
    cwd: dir,
    limits: { ...LIMITS.glimpse, signal },
  }).catch(() => undefined);
  return picture && picture.length > 0 ? picture : undefined;
}

const COVER = { width: 1280, height: 800, bars: 80, gap: 0.45 };

export function drawCover(waveform: readonly number[], id: string): Promise<Buffer> {
  const { width, height, bars } = COVER;
  const hue = (Number.parseInt(id.slice(-4), 16) % 360) / 60;
  const tone = (offset: number) => 0.5 + 0.5 * Math.cos(((hue + offset) * Math.PI) / 3);
  const tint = [tone(0), tone(2), tone(4)];
  const data = Buffer.alloc(width * height * 3);
  const barWidth = width / (bars + 8);
  for (let x = 0; x < width; x += 1) {
    const place = x / barWidth - 4;
    const value = waveform[Math.floor((place / bars) * waveform.length)] ?? 0;
    const isBar = place >= 0 && place < bars && place % 1 > COVER.gap / 2 && place % 1 < 1 - COVER.gap / 2;
    const reach = Math.max(4, value * height * 0.32);
    for (let y = 0; y < height; y += 1) {
      const shade = 0.11 + 0.07 * (1 - y / height);
      const light = isBar && Math.abs(y - height / 2) < reach ? 0.78 : 0;
      for (const [channel, part] of tint.entries())
        data[(y * width + x) * 3 + channel] = Math.round(
          255 * (light > 0 ? light * (0.75 + 0.25 * part) : shade * (0.6 + 0.5 * part)),
        );
    }
  }
  return sharp(data, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
}
