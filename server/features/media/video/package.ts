/** Makes a video playable without encoding its picture: the same H.264 in fragments (HLS), and as one plain MP4. */
import { rm } from 'node:fs/promises';
import { VIDEO } from '@stagedoor/contract/atoms/limits.ts';
import { MediaError } from '../sentences.ts';
import { Damage } from './damage.ts';
import type { Source } from './inspect.ts';
import { measureRung, type Rung } from './playlist.ts';
import { type Demuxer, inputOf, LIMITS, runFfmpeg, ToolError, type Tools } from './tools.ts';

/** The rung of the source's own picture. */
const OWN = 'src';
/** Seconds that frames may last longer than their film says. */
const LONGER = 0.25;

export type Moving = Source & { video: NonNullable<Source['video']> };

/** What is known of a job's place and means. */
export type Bench = { tools: Tools; dir: string; signal?: AbortSignal | undefined };

/** Nothing of what the file says of itself leaves: no places, no devices, no chapters, no subtitles. */
export const STRIPPED = ['-map_metadata', '-1', '-map_chapters', '-1', '-sn', '-dn'];
/** At most stereo, as nothing in a browser's player promises more. */
export const AAC = ['-c:a', 'aac', '-b:a', '128k', '-ac', '2', '-ar', '48000'];

/** The options that write one rung of HLS, `{name}.m3u8` over the byte ranges of `{name}.mp4`. */
export function hlsOf(name: string): string[] {
  return [
    ...['-f', 'hls', '-hls_time', String(VIDEO.segmentSeconds), '-hls_playlist_type', 'vod'],
    ...['-hls_flags', 'single_file+independent_segments', '-hls_segment_type', 'fmp4'],
    ...['-hls_segment_filename', `${name}.mp4`, `${name}.m3u8`],
  ];
}

/** The sound as it is where browsers play it, else as AAC, with silence where the film has no sound yet, or none any more. */
export function soundOf(audio: Source['audio'], isCopied = audio?.isPlayable === true): string[] {
  if (!audio) return ['-an'];
  if (isCopied) return ['-c:a', 'copy'];
  const after = audio.silentSeconds > 0 ? `,apad=pad_dur=${audio.silentSeconds.toFixed(3)}` : '';
  return [...AAC, '-af', `aresample=async=1:first_pts=0${after}`];
}

/** Whether a film is not much shorter than it promised to be. Seconds. */
export function isWhole(seconds: number, promised: number): boolean {
  return seconds > 0 && seconds >= promised * 0.9 - 2;
}

/** What failed for want of room is tried again; all else is the file's fault. */
export function asMediaError(error: unknown, sentence: string): unknown {
  if (!(error instanceof ToolError) || isFull(error)) return error;
  return new MediaError(sentence, { cause: error });
}

export function isFull(error: unknown): boolean {
  if (error instanceof ToolError) return /No space left|Disk quota exceeded/.test(error.said);
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
}

export type Packaged = { rung: Rung; longestSeconds: number; seconds: number };

/** What packaging must know of a file. Before anybody looked at it, its sound is taken for what browsers play. */
type Expected = Pick<Source, 'demuxer' | 'audio'>;

/** Writes `src.m3u8` and `src.mp4` of the source's own picture into the folder. Throws ToolError. */
async function copyStreams(
  { tools, dir, signal }: Bench,
  file: string,
  { demuxer, audio }: Expected | { demuxer: Demuxer; audio: 'any' },
  progress: { seconds?: () => number; onProgress?: (done: number) => void },
): Promise<Damage> {
  const damage = new Damage();
  const sound =
    audio === 'any' ? ['-map', '0:a:0?', '-c:a', 'copy'] : [...(audio ? ['-map', '0:a:0'] : []), ...soundOf(audio)];
  const args = [...inputOf(demuxer, file), '-map', '0:V:0', ...sound, ...STRIPPED, '-c:v', 'copy', '-tag:v', 'avc1'];
  await runFfmpeg(tools, {
    args: [...args, ...hlsOf(OWN)],
    cwd: dir,
    limits: { ...LIMITS.copy, signal },
    onLine: damage.hear,
    ...progress,
  });
  return damage;
}

/**
 * The rung of the source's own picture: `src.m3u8` and `src.mp4` in the folder. Nothing when it comes out damaged, shorter
 * than the file promised, or longer: what an editor cut off in front lies in the file still, and is not for showing.
 */
export async function packageAsIs(
  bench: Bench,
  file: string,
  source: Moving,
  onProgress?: (done: number) => void,
  early?: Early,
): Promise<Packaged | undefined> {
  // What failed early may only have been something else than was expected.
  const done = await early?.done.catch(() => undefined);
  const progress = { seconds: () => source.seconds, ...(onProgress && { onProgress }) };
  const damage = done ?? (await copyStreams(bench, file, source, progress));
  if (damage.isThere) return undefined;
  const { width, height } = source.video;
  const packaged = await measureRung(bench.dir, { name: OWN, width, height });
  const isLonger = source.seconds > 0 && packaged.seconds > source.seconds + LONGER;
  return isWhole(packaged.seconds, source.seconds) && !isLonger ? packaged : undefined;
}

/** Packaging that began before the file was looked at. */
export type Early = {
  /** Rejects as ffmpeg does. */
  done: Promise<Damage>;
  /** Ends it where the file turns out to be something else; resolves when nothing of it runs or lies there any more. */
  drop: () => Promise<void>;
};

/**
 * Begins to package a file as what most of them are, H.264 with AAC, while it is still being looked at: starting a program
 * takes longer than copying a short film. `source` answers what was found once it is known, for progress.
 */
export function packageEarly(
  bench: Bench,
  file: string,
  demuxer: Demuxer,
  source: () => Source | undefined,
  onProgress: (done: number) => void,
): Early {
  const stop = new AbortController();
  const signal = bench.signal ? AbortSignal.any([bench.signal, stop.signal]) : stop.signal;
  const seconds = () => source()?.seconds ?? 0;
  const done = copyStreams({ ...bench, signal }, file, { demuxer, audio: 'any' }, { seconds, onProgress });
  // Whoever waits for it learns of a failure; who drops it does not want to.
  done.catch(() => undefined);
  return {
    done,
    drop: async () => {
      stop.abort(new Error('not what was expected'));
      await done.catch(() => undefined);
      for (const ending of ['mp4', 'm3u8']) await rm(`${bench.dir}/${OWN}.${ending}`, { force: true });
    },
  };
}

/** Whether what {@link packageEarly} wrote is what {@link packageAsIs} would have written. */
export function isAsExpected({ video, audio }: Source): boolean {
  return video?.isPlayable === true && audio?.isPlayable !== false;
}

/** One plain MP4 that any browser plays, its index in front: of the source, or of a rung that was made of it. */
export async function makeFile(
  { tools, dir, signal }: Bench,
  input: { file: string; source: Source },
  name: string,
): Promise<void> {
  const { file, source } = input;
  const maps = ['-map', '0:V:0', ...(source.audio ? ['-map', '0:a:0'] : [])];
  const args = [
    ...inputOf(source.demuxer, file),
    ...maps,
    ...STRIPPED,
    '-c:v',
    'copy',
    '-tag:v',
    'avc1',
    ...soundOf(source.audio),
  ];
  await runFfmpeg(tools, {
    args: [...args, '-f', 'mp4', '-movflags', '+faststart', name],
    cwd: dir,
    limits: { ...LIMITS.copy, niceness: 10, signal },
  });
}
