/** The rungs between which a player chooses: which ones a source gets, and encoding them, never larger than the source. */
import { VIDEO } from '@stagedoor/contract/atoms/limits.ts';
import { SENTENCES } from '../sentences.ts';
import type { Source } from './inspect.ts';
import { AAC, asMediaError, assertWhole, type Bench, hlsOf, type Packaged, STRIPPED } from './package.ts';
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

/** ffmpeg's options that make those rungs of an input, all in one run: decoded once, scaled to each. */
export function encodeArgs(
  input: readonly string[],
  source: Source & { video: Picture },
  steps: readonly Step[],
): string[] {
  const { video: picture } = source;
  const pace = picture.frameRate > MAX_FRAME_RATE + 1 ? `fps=${MAX_FRAME_RATE},` : '';
  const scaled = steps.map(
    ({ width, height, name }, at) => `[s${at}]scale=${width}:${height}:flags=bicubic,setsar=1,format=yuv420p[${name}]`,
  );
  const split = `[0:v:0]${pace}${toneOf(picture)}split=${steps.length}${steps.map((_, at) => `[s${at}]`).join('')}`;
  const outputs = steps.flatMap(({ name, rate: [mean, most, buffer] }) => [
    ...['-map', `[${name}]`, ...(source.audio ? ['-map', '0:a:0'] : []), ...STRIPPED],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-profile:v', 'high', '-tag:v', 'avc1'],
    ...['-b:v', `${mean}k`, '-maxrate', `${most}k`, '-bufsize', `${buffer}k`],
    ...['-force_key_frames', `expr:gte(t,n_forced*${VIDEO.segmentSeconds})`, '-sc_threshold', '0'],
    ...(source.audio ? AAC : ['-an']),
    ...hlsOf(name),
  ]);
  return [...input, '-filter_complex', [split, ...scaled].join(';'), ...outputs];
}

/** Encodes rungs into the folder. Throws MediaError for a file that cannot be decoded to its end. */
export async function encode(
  { tools, dir, signal }: Bench,
  file: string,
  source: Source & { video: Picture },
  steps: readonly Step[],
  onProgress?: (done: number) => void,
): Promise<Packaged[]> {
  try {
    await runFfmpeg(tools, {
      args: encodeArgs(inputOf(source.demuxer, file), source, steps),
      cwd: dir,
      limits: { ...LIMITS.encode, signal },
      seconds: () => source.seconds,
      ...(onProgress ? { onProgress } : {}),
    });
    const made = await Promise.all(steps.map(({ name, width, height }) => measureRung(dir, { name, width, height })));
    for (const { seconds } of made) assertWhole(source, seconds);
    return made;
  } catch (error) {
    throw asMediaError(error, SENTENCES.damagedVideo);
  }
}
