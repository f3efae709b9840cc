/** No rendition is larger than the source. */
import { VIDEO } from '@stagedoor/contract/atoms/limits.ts';
import { MediaError, SENTENCES } from '../sentences.ts';
import { Damage } from './damage.ts';
import type { Source } from './inspect.ts';
import { asMediaError, type Bench, hlsOf, isFull, isWhole, type Packaged, STRIPPED, soundOf } from './package.ts';
import { measureRung } from './playlist.ts';
import { inputOf, LIMITS, runFfmpeg } from './tools.ts';

type Picture = NonNullable<Source['video']>;
export type Step = { name: string; width: number; height: number; rate: readonly [number, number, number] };

/** Kilobits per second by height: average, maximum, and the decoder's buffer. */
const RATES: ReadonlyMap<number, readonly [number, number, number]> = new Map([
  [1080, [5000, 5350, 7500]],
  [720, [2800, 2996, 4200]],
  [480, [1400, 1498, 2100]],
  [360, [800, 856, 1200]],
]);
const LOWEST = [500, 535, 750] as const;
/**
 * A source streamed without encoding may have at most this multiple of the bitrate, and segments of at most this
 * length.
 */
const OWN = { rate: 3, segmentSeconds: 12 };
const MAX_FRAME_RATE = 60;

const even = (value: number) => Math.max(2, Math.round(value / 2) * 2);

/** The shorter side decides, so that portrait is as sharp as landscape. */
function stepOf({ width, height }: Picture, side: number): Step {
  const shorter = Math.min(width, height);
  const scale = Math.min(1, side / shorter);
  const known = [...RATES].findLast(([of]) => side <= of);
  return {
    name: `v${side}`,
    width: even(width * scale),
    height: even(height * scale),
    rate: side < 300 ? LOWEST : (known?.[1] ?? RATES.get(1080) ?? LOWEST),
  };
}

/**
 * Returns renditions, largest first: those of {@link VIDEO.heights} that it reaches, or its own size if it is smaller.
 */
export function stepsOf(picture: Picture): Step[] {
  const shorter = Math.min(picture.width, picture.height);
  const reached = VIDEO.heights.filter((side) => side <= shorter);
  return (reached.length > 0 ? reached : [even(shorter)]).map((side) => stepOf(picture, side));
}

/** Returns the rendition that is encoded first, so that something can be played soon. */
export function firstStepOf(picture: Picture): Step {
  const steps = stepsOf(picture);
  const first = steps.find((step) => Math.min(step.width, step.height) <= 480) ?? steps.at(-1);
  if (!first) throw new Error('a picture without rungs');
  return first;
}

export function staysAsIs(picture: Picture, { rung, longestSeconds }: Packaged): boolean {
  const side = Math.min(picture.width, picture.height);
  const rate = RATES.get(VIDEO.heights.findLast((of) => side <= of) ?? 0) ?? RATES.get(1080);
  const isModest = rung.averageBandwidth <= (rate?.[1] ?? 0) * 1000 * OWN.rate;
  return !picture.isTurned && side <= 1080 && isModest && longestSeconds <= OWN.segmentSeconds;
}

/** Without a request for YUV, the scaler would convert RGB with the matrix of standard-definition television. */
function toneOf(picture: Picture): string {
  if (!picture.isHdr) return '';
  return 'zscale=t=linear:npl=100,format=gbrpf32le,zscale=p=bt709,tonemap=tonemap=hable:desat=0,zscale=t=bt709:m=bt709:r=tv,format=yuv420p,';
}

function shownOf(picture: Picture): string {
  // Frames that are not marked as interlaced pass unchanged.
  const woven = picture.isInterlaced ? 'bwdif=mode=send_frame:deint=interlaced,' : '';
  const pace = picture.frameRate > MAX_FRAME_RATE + 1 ? `fps=${MAX_FRAME_RATE},` : '';
  const held = picture.heldSeconds > 0 ? `tpad=stop_mode=clone:stop_duration=${picture.heldSeconds.toFixed(3)},` : '';
  return `${woven}${pace}${held}${toneOf(picture)}`;
}

export function encodeArgs(
  input: readonly string[],
  source: Source & { video: Picture },
  steps: readonly Step[],
): string[] {
  const { video: picture } = source;
  const scaled = steps.map(
    ({ width, height, name }, at) => `[s${at}]scale=${width}:${height}:flags=bicubic,setsar=1,format=yuv420p[${name}]`,
  );
  const split = `[0:V:0]${shownOf(picture)}split=${steps.length}${steps.map((_, at) => `[s${at}]`).join('')}`;
  const outputs = steps.flatMap(({ name, rate: [mean, most, buffer] }) => [
    ...['-map', `[${name}]`, ...(source.audio ? ['-map', '0:a:0'] : []), ...STRIPPED],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-profile:v', 'high', '-tag:v', 'avc1'],
    ...['-b:v', `${mean}k`, '-maxrate', `${most}k`, '-bufsize', `${buffer}k`],
    ...['-force_key_frames', `expr:gte(t,n_forced*${VIDEO.segmentSeconds})`, '-sc_threshold', '0'],
    ...soundOf(source.audio, false),
    ...hlsOf(name),
  ]);
  return [...input, '-filter_complex', [split, ...scaled].join(';'), ...outputs];
}

/** Above this share of broken frames, a video is not published. */
const MOST_LOST = 0.25;

export function isLost(picture: Picture, { seconds }: Packaged, damage: Damage, promised = seconds): boolean {
  const { frameRate, heldSeconds } = picture;
  const most = Math.max(1, (promised - heldSeconds) * frameRate * MOST_LOST);
  return Math.max(damage.frames, (promised - seconds) * frameRate) > most;
}

/** Conceals damage. Throws MediaError for a file that cannot be decoded to its end. */
export async function encode(
  bench: Bench,
  file: string,
  source: Source & { video: Picture },
  steps: readonly Step[],
  onProgress?: (done: number) => void,
): Promise<Encoded> {
  const encoded = await encodeDecodable(bench, file, source, steps, onProgress);
  if (encoded.isShort) throw new MediaError(SENTENCES.damagedVideo);
  return encoded;
}

export type Encoded = {
  made: Packaged[];
  damage: Damage;
  isShort: boolean;
};

/** Used for a file that is published as far as it decodes. Throws MediaError if nothing does. */
export async function encodeDecodable(
  { tools, dir, signal }: Bench,
  file: string,
  source: Source & { video: Picture },
  steps: readonly Step[],
  onProgress?: (done: number) => void,
): Promise<Encoded> {
  const damage = new Damage(source.video.index);
  try {
    await runFfmpeg(tools, {
      args: encodeArgs(inputOf(source.demuxer, file), source, steps),
      cwd: dir,
      limits: { ...LIMITS.encode, signal },
      seconds: () => source.seconds,
      onLine: damage.hear,
      ...(onProgress ? { onProgress } : {}),
    });
    const measured = steps.map(({ name, width, height }) => measureRung(dir, { name, width, height }));
    const made = await Promise.all(measured).catch((cause: unknown) => {
      // Without a single frame, ffmpeg writes no playlist and still exits successfully.
      throw isFull(cause) ? cause : new MediaError(SENTENCES.damagedVideo, { cause });
    });
    const { heldSeconds } = source.video;
    const isShort = !made.every(({ seconds }) => isWhole(seconds - heldSeconds, source.seconds - heldSeconds));
    return { made, damage, isShort };
  } catch (error) {
    throw asMediaError(error, SENTENCES.damagedVideo);
  }
}
