/** No rendition is larger than the source. */
import { VIDEO_LIMITS } from '@stagedoor/contract/shared/limits.ts';
import { MEDIA_MESSAGES, MediaError } from '../error-messages.ts';
import { DamageDetector } from './damage.ts';
import type { VideoSource } from './inspect.ts';
import {
  isComplete,
  isDiskFull,
  type PackagedRendition,
  STRIP_METADATA,
  toAudioArgs,
  toHlsArgs,
  toMediaError,
} from './package.ts';
import { measureRendition } from './playlist.ts';
import { runFfmpeg, TOOL_LIMITS, type ToolWorkspace, toInputArgs } from './tools.ts';

type VideoStream = VideoSource['video'];
export type RenditionSpec = { name: string; width: number; height: number; rate: readonly [number, number, number] };

/** Kilobits per second by height: average, maximum, and the decoder's buffer. */
const RATES: ReadonlyMap<number, readonly [number, number, number]> = new Map([
  [1080, [5000, 5350, 7500]],
  [720, [2800, 2996, 4200]],
  [480, [1400, 1498, 2100]],
  [360, [800, 856, 1200]],
]);
const LOWEST_RATE = [500, 535, 750] as const;
/**
 * A source streamed without encoding may have at most this multiple of the bitrate, and segments of at most this
 * length.
 */
const SOURCE_LIMITS = { rate: 3, segmentSeconds: 12 };
const MAX_FRAME_RATE = 60;

const toEven = (value: number) => Math.max(2, Math.round(value / 2) * 2);

/** The shorter side decides, so that portrait is as sharp as landscape. */
function toRenditionSpec({ width, height }: VideoStream, side: number): RenditionSpec {
  const shorter = Math.min(width, height);
  const scale = Math.min(1, side / shorter);
  const knownRate = [...RATES].findLast(([rateHeight]) => side <= rateHeight);
  return {
    name: `v${side}`,
    width: toEven(width * scale),
    height: toEven(height * scale),
    rate: side < 300 ? LOWEST_RATE : (knownRate?.[1] ?? RATES.get(1080) ?? LOWEST_RATE),
  };
}

/**
 * Returns renditions, largest first: those of `VIDEO_LIMITS.heights` that it reaches, or its own size if it is smaller.
 */
export function listRenditionSpecs(videoStream: VideoStream): RenditionSpec[] {
  const shorter = Math.min(videoStream.width, videoStream.height);
  const reachedHeights = VIDEO_LIMITS.heights.filter((side) => side <= shorter);
  return (reachedHeights.length > 0 ? reachedHeights : [toEven(shorter)]).map((side) =>
    toRenditionSpec(videoStream, side),
  );
}

/** Returns the rendition that is encoded first, so that something can be played soon. */
export function getFirstRenditionSpec(videoStream: VideoStream): RenditionSpec {
  const specs = listRenditionSpecs(videoStream);
  const firstSpec = specs.find((spec) => Math.min(spec.width, spec.height) <= 480) ?? specs.at(-1);
  if (!firstSpec) throw new Error('a picture without renditions');
  return firstSpec;
}

export function canStayRemuxed(videoStream: VideoStream, { rendition, longestSeconds }: PackagedRendition): boolean {
  const side = Math.min(videoStream.width, videoStream.height);
  const rate = RATES.get(VIDEO_LIMITS.heights.findLast((rateHeight) => side <= rateHeight) ?? 0) ?? RATES.get(1080);
  const isBitrateLow = rendition.averageBandwidth <= (rate?.[1] ?? 0) * 1000 * SOURCE_LIMITS.rate;
  return !videoStream.isRotated && side <= 1080 && isBitrateLow && longestSeconds <= SOURCE_LIMITS.segmentSeconds;
}

/** Without a request for YUV, the scaler would convert RGB with the matrix of standard-definition television. */
function toToneMapFilter(videoStream: VideoStream): string {
  if (!videoStream.isHdr) return '';
  return 'zscale=t=linear:npl=100,format=gbrpf32le,zscale=p=bt709,tonemap=tonemap=hable:desat=0,zscale=t=bt709:m=bt709:r=tv,format=yuv420p,';
}

function toDisplayFilter(videoStream: VideoStream): string {
  // Frames that are not marked as interlaced pass unchanged.
  const deinterlaceFilter = videoStream.isInterlaced ? 'bwdif=mode=send_frame:deint=interlaced,' : '';
  const frameRateFilter = videoStream.frameRate > MAX_FRAME_RATE + 1 ? `fps=${MAX_FRAME_RATE},` : '';
  const holdFilter =
    videoStream.heldSeconds > 0 ? `tpad=stop_mode=clone:stop_duration=${videoStream.heldSeconds.toFixed(3)},` : '';
  return `${deinterlaceFilter}${frameRateFilter}${holdFilter}${toToneMapFilter(videoStream)}`;
}

export function toEncodeArgs(input: readonly string[], source: VideoSource, specs: readonly RenditionSpec[]): string[] {
  const { video: videoStream } = source;
  const scaled = specs.map(
    ({ width, height, name }, at) => `[s${at}]scale=${width}:${height}:flags=bicubic,setsar=1,format=yuv420p[${name}]`,
  );
  const split = `[0:V:0]${toDisplayFilter(videoStream)}split=${specs.length}${specs.map((_, at) => `[s${at}]`).join('')}`;
  const outputs = specs.flatMap(({ name, rate: [mean, max, buffer] }) => [
    ...['-map', `[${name}]`, ...(source.audio ? ['-map', '0:a:0'] : []), ...STRIP_METADATA],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-profile:v', 'high', '-tag:v', 'avc1'],
    ...['-b:v', `${mean}k`, '-maxrate', `${max}k`, '-bufsize', `${buffer}k`],
    ...['-force_key_frames', `expr:gte(t,n_forced*${VIDEO_LIMITS.segmentSeconds})`, '-sc_threshold', '0'],
    ...toAudioArgs(source.audio, false),
    ...toHlsArgs(name),
  ]);
  return [...input, '-filter_complex', [split, ...scaled].join(';'), ...outputs];
}

/** Above this share of broken frames, a video is not published. */
const MAX_LOST_SHARE = 0.25;

export function isTooDamaged(
  videoStream: VideoStream,
  { seconds }: PackagedRendition,
  damage: DamageDetector,
  declaredSeconds = seconds,
): boolean {
  const { frameRate, heldSeconds } = videoStream;
  const max = Math.max(1, (declaredSeconds - heldSeconds) * frameRate * MAX_LOST_SHARE);
  return Math.max(damage.frames, (declaredSeconds - seconds) * frameRate) > max;
}

/** Conceals damage. Throws MediaError for a file that cannot be decoded to its end. */
export async function encode(
  workspace: ToolWorkspace,
  file: string,
  source: VideoSource,
  specs: readonly RenditionSpec[],
  onProgress?: (done: number) => void,
): Promise<EncodeResult> {
  const encoded = await encodeDecodable(workspace, file, source, specs, onProgress);
  if (encoded.isShort) throw new MediaError(MEDIA_MESSAGES.damagedVideo);
  return encoded;
}

export type EncodeResult = {
  renditions: PackagedRendition[];
  damage: DamageDetector;
  isShort: boolean;
};

/** Used for a file that is published as far as it decodes. Throws MediaError if nothing does. */
export async function encodeDecodable(
  { tools, dir, signal }: ToolWorkspace,
  file: string,
  source: VideoSource,
  specs: readonly RenditionSpec[],
  onProgress?: (done: number) => void,
): Promise<EncodeResult> {
  const damage = new DamageDetector(source.video.index);
  try {
    await runFfmpeg(tools, {
      args: toEncodeArgs(toInputArgs(source.demuxer, file), source, specs),
      cwd: dir,
      limits: { ...TOOL_LIMITS.encode, signal },
      seconds: () => source.seconds,
      onLine: damage.addLine,
      ...(onProgress ? { onProgress } : {}),
    });
    const measured = specs.map(({ name, width, height }) => measureRendition(dir, { name, width, height }));
    const renditions = await Promise.all(measured).catch((cause: unknown) => {
      // Without a single frame, ffmpeg writes no playlist and still exits successfully.
      throw isDiskFull(cause) ? cause : new MediaError(MEDIA_MESSAGES.damagedVideo, { cause });
    });
    const { heldSeconds } = source.video;
    const isShort = !renditions.every(({ seconds }) => isComplete(seconds - heldSeconds, source.seconds - heldSeconds));
    return { renditions, damage, isShort };
  } catch (error) {
    throw toMediaError(error, MEDIA_MESSAGES.damagedVideo);
  }
}
