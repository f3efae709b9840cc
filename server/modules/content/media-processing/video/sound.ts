import { VIDEO_LIMITS } from '@stagedoor/contract/shared/limits.ts';
import sharp from 'sharp';
import { MEDIA_MESSAGES, MediaError } from '../error-messages.ts';
import type { ProbedSource } from './inspect.ts';
import { STRIP_METADATA, toMediaError } from './package.ts';
import { QUIET_ARGS, runTool, TOOL_LIMITS, type ToolWorkspace, toInputArgs } from './tools.ts';

/** EBU R 128 as the large services use it: -16 LUFS, peaks below -1.5 dB. */
const LOUDNESS = 'loudnorm=I=-16:TP=-1.5:LRA=11';
const SAMPLE_RATE = 4_000;
/** One value covers a twentieth of a second. */
const SAMPLES_PER_VALUE = SAMPLE_RATE / 20;
const MAX_VALUES = 400;

export class PeakMeter {
  readonly #values: number[] = [];
  #peak = 0;
  #count = 0;
  #pendingByte: number | undefined;

  add(chunk: Buffer): void {
    let at = 0;
    if (this.#pendingByte !== undefined && chunk.length > 0) {
      this.#addSample((chunk.readInt8(0) << 8) | this.#pendingByte | 0);
      this.#pendingByte = undefined;
      at = 1;
    }
    for (; at + 1 < chunk.length; at += 2) this.#addSample(chunk.readInt16LE(at));
    if (at < chunk.length) this.#pendingByte = chunk[at];
  }

  #addSample(value: number): void {
    const level = Math.abs(value);
    if (level > this.#peak) this.#peak = level;
    this.#count += 1;
    if (this.#count < SAMPLES_PER_VALUE) return;
    this.#values.push(this.#peak);
    this.#peak = 0;
    this.#count = 0;
  }

  get seconds(): number {
    return (this.#values.length * SAMPLES_PER_VALUE + this.#count) / SAMPLE_RATE;
  }

  /** Returns values from 0 to 1, relative to the loudest. */
  waveform(): number[] {
    const length = Math.min(MAX_VALUES, this.#values.length);
    const values = Array.from({ length }, (_, at) => {
      const from = Math.floor((at * this.#values.length) / length);
      const to = Math.max(from + 1, Math.floor(((at + 1) * this.#values.length) / length));
      return Math.max(...this.#values.slice(from, to));
    });
    const loudest = Math.max(1, ...values);
    return values.map((value) => Math.round((value / loudest) * 100) / 100);
  }
}

export type NormalizedAudio = { seconds: number; waveform: number[] };

/** Throws MediaError for a file that cannot be decoded or is too long. */
export async function normalizeAudio(
  { tools, dir, signal }: ToolWorkspace,
  file: string,
  source: ProbedSource,
  onProgress?: (done: number) => void,
): Promise<NormalizedAudio> {
  const peaks = new PeakMeter();
  const limit = ['-t', String(VIDEO_LIMITS.maxSeconds + 1)];
  const args = [
    ...QUIET_ARGS,
    ...toInputArgs(source.demuxer, file),
    ...['-filter_complex', `[0:a:0]${LOUDNESS},aresample=48000,asplit=2[loud][shape]`],
    ...[
      '-map',
      '[loud]',
      ...STRIP_METADATA,
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
      limits: { ...TOOL_LIMITS.encode, signal },
      onData: (chunk) => {
        peaks.add(chunk);
        if (source.seconds > 0) onProgress?.(Math.min(1, peaks.seconds / source.seconds));
      },
    });
  } catch (error) {
    throw toMediaError(error, MEDIA_MESSAGES.damagedAudio);
  }
  if (peaks.seconds > VIDEO_LIMITS.maxSeconds) throw new MediaError(MEDIA_MESSAGES.tooLong);
  if (peaks.seconds < 0.05 || peaks.seconds < source.seconds * 0.5 - 2)
    throw new MediaError(MEDIA_MESSAGES.damagedAudio);
  return { seconds: peaks.seconds, waveform: peaks.waveform() };
}

export async function extractEmbeddedCover(
  { tools, dir, signal }: ToolWorkspace,
  file: string,
  source: ProbedSource,
): Promise<Buffer | undefined> {
  if (source.cover === null) return undefined;
  const args = [...QUIET_ARGS, ...toInputArgs(source.demuxer, file), '-map', `0:${source.cover}`, '-frames:v', '1'];
  const jpeg = ['-c:v', 'mjpeg', '-q:v', '2', '-f', 'image2pipe', 'pipe:1'];
  const picture = await runTool(tools, 'ffmpeg', {
    args: [...args, ...jpeg],
    cwd: dir,
    limits: { ...TOOL_LIMITS.glimpse, signal },
  }).catch(() => undefined);
  return picture && picture.length > 0 ? picture : undefined;
}

const COVER_STYLE = { width: 1280, height: 800, bars: 80, gap: 0.45 };

export function drawCover(waveform: readonly number[], id: string): Promise<Buffer> {
  const { width, height, bars } = COVER_STYLE;
  const hue = (Number.parseInt(id.slice(-4), 16) % 360) / 60;
  const tone = (offset: number) => 0.5 + 0.5 * Math.cos(((hue + offset) * Math.PI) / 3);
  const tint = [tone(0), tone(2), tone(4)];
  const data = Buffer.alloc(width * height * 3);
  const barWidth = width / (bars + 8);
  for (let x = 0; x < width; x += 1) {
    const barPosition = x / barWidth - 4;
    const value = waveform[Math.floor((barPosition / bars) * waveform.length)] ?? 0;
    const isBar =
      barPosition >= 0 &&
      barPosition < bars &&
      barPosition % 1 > COVER_STYLE.gap / 2 &&
      barPosition % 1 < 1 - COVER_STYLE.gap / 2;
    const barReach = Math.max(4, value * height * 0.32);
    for (let y = 0; y < height; y += 1) {
      const shade = 0.11 + 0.07 * (1 - y / height);
      const light = isBar && Math.abs(y - height / 2) < barReach ? 0.78 : 0;
      for (const [channel, tintPart] of tint.entries())
        data[(y * width + x) * 3 + channel] = Math.round(
          255 * (light > 0 ? light * (0.75 + 0.25 * tintPart) : shade * (0.6 + 0.5 * tintPart)),
        );
    }
  }
  return sharp(data, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
}
