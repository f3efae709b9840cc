/** Packages H.264 without encoding it. */
import { rm } from 'node:fs/promises';
import { VIDEO } from '@stagedoor/contract/atoms/limits.ts';
import { MediaError } from '../sentences.ts';
import { Damage } from './damage.ts';
import type { Source } from './inspect.ts';
import { measureRung, type Rung } from './playlist.ts';
import { type Demuxer, inputOf, LIMITS, runFfmpeg, ToolError, type Tools } from './tools.ts';

const OWN = 'src';
/** Tolerance for the duration, in seconds. */
const LONGER = 0.25;

export type Moving = Source & { video: NonNullable<Source['video']> };

export type Bench = { tools: Tools; dir: string; signal?: AbortSignal | undefined };

/** Privacy: removes locations, devices, chapters and subtitles. */
export const STRIPPED = ['-map_metadata', '-1', '-map_chapters', '-1', '-sn', '-dn'];
/** Players in browsers guarantee no more than stereo. */
export const AAC = ['-c:a', 'aac', '-b:a', '128k', '-ac', '2', '-ar', '48000'];

export function hlsOf(name: string): string[] {
  return [
    ...['-f', 'hls', '-hls_time', String(VIDEO.segmentSeconds), '-hls_playlist_type', 'vod'],
    ...['-hls_flags', 'single_file+independent_segments', '-hls_segment_type', 'fmp4'],
    ...['-hls_segment_filename', `${name}.mp4`, `${name}.m3u8`],
  ];
}

/** Silence fills the time before and after the sound. */
export function soundOf(audio: Source['audio'], isCopied = audio?.isPlayable === true): string[] {
  if (!audio) return ['-an'];
  if (isCopied) return ['-c:a', 'copy'];
  const after = audio.silentSeconds > 0 ? `,apad=pad_dur=${audio.silentSeconds.toFixed(3)}` : '';
  return [...AAC, '-af', `aresample=async=1:first_pts=0${after}`];
}

/** Both values are in seconds. */
export function isWhole(seconds: number, promised: number): boolean {
  return seconds > 0 && seconds >= promised * 0.9 - 2;
}

/** A full disk is retried. Every other failure is the file's fault. */
export function asMediaError(error: unknown, sentence: string): unknown {
  if (!(error instanceof ToolError) || isFull(error)) return error;
  return new MediaError(sentence, { cause: error });
}

export function isFull(error: unknown): boolean {
  if (error instanceof ToolError) return /No space left|Disk quota exceeded/.test(error.said);
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
}

export type Packaged = { rung: Rung; longestSeconds: number; seconds: number };

/** Before the inspection, the sound is assumed to be playable. */
type Expected = Pick<Source, 'demuxer' | 'audio'>;

/** Throws ToolError. */
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
 * Returns undefined if the result is damaged, or shorter or longer than declared. A longer one contains what an editor
 * cut off in front, which must not be shown.
 */
export async function packageAsIs(
  bench: Bench,
  file: string,
  source: Moving,
  onProgress?: (done: number) => void,
  early?: Early,
): Promise<Packaged | undefined> {
  // An early failure may only mean that the file is of another kind.
  const done = await early?.done.catch(() => undefined);
  const progress = { seconds: () => source.seconds, ...(onProgress && { onProgress }) };
  const damage = done ?? (await copyStreams(bench, file, source, progress));
  if (damage.isThere) return undefined;
  const { width, height } = source.video;
  const packaged = await measureRung(bench.dir, { name: OWN, width, height });
  const isLonger = source.seconds > 0 && packaged.seconds > source.seconds + LONGER;
  return isWhole(packaged.seconds, source.seconds) && !isLonger ? packaged : undefined;
}

export type Early = {
  done: Promise<Damage>;
  /** Resolves when the process has ended and its files are deleted. */
  drop: () => Promise<void>;
};

/**
 * Packages as H.264 with AAC, the most common kind, during the inspection, because starting a program takes longer than
 * copying a short video.
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
  // Prevents an unhandled rejection. A caller that waits still gets the failure.
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

export function isAsExpected({ video, audio }: Source): boolean {
  return video?.isPlayable === true && audio?.isPlayable !== false;
}

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
