/** The rungs between which a player chooses: which ones a source gets, and encoding them, never larger than the source. */
import { VIDEO } from '@stagedoor/contract/atoms/limits.ts';
import { MediaError, SENTENCES } from '../sentences.ts';
import { Damage } from './damage.ts';
import type { Source } from './inspect.ts';
import { asMediaError, type Bench, hlsOf, isFull, isWhole, type Packaged, STRIPPED, soundOf } from './package.ts';
import { measureRung } from './playlist.ts';
import { inputOf, LIMITS, runFfmpeg } from './tools.ts';

type Picture = NonNullable<Source['video']>;
export type Step = { name: string; width: number; height: number; rate: readonly [number, number, number] };

/** Kilobits a second by height: the mean, the most, and the decoder's buffer. */
const RATES: ReadonlyMap<number, readonly [number, number, number]> = new Map([
  [1080, [5000, 5350, 7500]],
  [720, [2800, 2996, 4200]],
  [480, [1400, 1498, 2100]],
  [360, [800, 856, 1200]],
]);
const LOWEST = [500, 535, 750] as const;
/** A source that is streamed as it is takes at most so much more than a rung of its size, and cuts at least that often. */
const OWN = { rate: 3, segmentSeconds: 12 };
const MAX_FRAME_RATE = 60;

const even = (value: number) => Math.max(2, Math.round(value / 2) * 2);

/** The shorter side decides, so that an upright video is as sharp as one that lies. */
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

/** Every rung of a picture, largest first: those of {@link VIDEO.heights} that it reaches, or its own size if it is smaller. */
export function stepsOf(picture: Picture): Step[] {
  const shorter = Math.min(picture.width, picture.height);
  const reached = VIDEO.heights.filter((side) => side <= shorter);
  return (reached.length > 0 ? reached : [even(shorter)]).map((side) => stepOf(picture, side));
}

/** The rung that is encoded first, so that there is something to play soon. */
export function firstStepOf(picture: Picture): Step {
  const steps = stepsOf(picture);
  const first = steps.find((step) => Math.min(step.width, step.height) <= 480) ?? steps.at(-1);
  if (!first) throw new Error('a picture without rungs');
  return first;
}

/** Whether the source's own picture stays among the rungs once the others are there. */
export function staysAsIs(picture: Picture, { rung, longestSeconds }: Packaged): boolean {
  const side = Math.min(picture.width, picture.height);
  const rate = RATES.get(VIDEO.heights.findLast((of) => side <= of) ?? 0) ?? RATES.get(1080);
  const isModest = rung.averageBandwidth <= (rate?.[1] ?? 0) * 1000 * OWN.rate;
  return !picture.isTurned && side <= 1080 && isModest && longestSeconds <= OWN.segmentSeconds;
}

/**
 * HDR is brought to what every screen shows. Its last step asks for YUV: left to itself it hands on RGB, which the scaler
 * would take to YUV by the matrix of old television.
 */
function toneOf(picture: Picture): string {
  if (!picture.isHdr) return '';
  return 'zscale=t=linear:npl=100,format=gbrpf32le,zscale=p=bt709,tonemap=tonemap=hable:desat=0,zscale=t=bt709:m=bt709:r=tv,format=yuv420p,';
}

/** What becomes of every frame before it is scaled: two fields become one picture, and the last one is held. */
function shownOf(picture: Picture): string {
  // Frames that are not marked as interlaced pass as they are.
  const woven = picture.isInterlaced ? 'bwdif=mode=send_frame:deint=interlaced,' : '';
  const pace = picture.frameRate > MAX_FRAME_RATE + 1 ? `fps=${MAX_FRAME_RATE},` : '';
  const held = picture.heldSeconds > 0 ? `tpad=stop_mode=clone:stop_duration=${picture.heldSeconds.toFixed(3)},` : '';
  return `${woven}${pace}${held}${toneOf(picture)}`;
}

/** ffmpeg's options that make those rungs of an input, all in one run: decoded once, scaled to each. */
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

/** So much of a film may be broken, as a share of its frames, before nobody would call it that film. */
const MOST_LOST = 0.25;

/** Whether too little is left of a film for showing it: what came out of it, of what it promised to be. */
export function isLost(picture: Picture, { seconds }: Packaged, damage: Damage, promised = seconds): boolean {
  const { frameRate, heldSeconds } = picture;
  const most = Math.max(1, (promised - heldSeconds) * frameRate * MOST_LOST);
  return Math.max(damage.frames, (promised - seconds) * frameRate) > most;
}

/**
 * Encodes rungs into the folder, in the order of `steps`; what is broken in the source is concealed. Throws MediaError for a
 * file that cannot be decoded to its end.
 */
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
  /** Less came out than the file promised. */
  isShort: boolean;
};

/** The same of a file that is to be shown as far as it can be decoded. Throws MediaError when nothing of it can. */
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
      // Without a single frame, ffmpeg writes no playlist, and ends well.
      throw isFull(cause) ? cause : new MediaError(SENTENCES.damagedVideo, { cause });
    });
    const { heldSeconds } = source.video;
    const isShort = !made.every(({ seconds }) => isWhole(seconds - heldSeconds, source.seconds - heldSeconds));
    return { made, damage, isShort };
  } catch (error) {
    throw asMediaError(error, SENTENCES.damagedVideo);
  }
}
