/** Packages H.264 without encoding it. */
import { rm } from 'node:fs/promises';
import { VIDEO_LIMITS } from '@stagedoor/contract/shared/limits.ts';
import { MediaError } from '../error-messages.ts';
import { DamageDetector } from './damage.ts';
import type { ProbedSource, VideoSource } from './inspect.ts';
import { measureRendition, type Rendition } from './playlist.ts';
import { type Demuxer, runFfmpeg, TOOL_LIMITS, ToolError, type ToolWorkspace, toInputArgs } from './tools.ts';

const SOURCE_NAME = 'src';
/** Tolerance for the duration, in seconds. */
const DURATION_TOLERANCE = 0.25;

/** Privacy: removes locations, devices, chapters and subtitles. */
export const STRIP_METADATA = ['-map_metadata', '-1', '-map_chapters', '-1', '-sn', '-dn'];
/** Players in browsers guarantee no more than stereo. */
export const AAC_ARGS = ['-c:a', 'aac', '-b:a', '128k', '-ac', '2', '-ar', '48000'];

export function toHlsArgs(name: string): string[] {
  return [
    ...['-f', 'hls', '-hls_time', String(VIDEO_LIMITS.segmentSeconds), '-hls_playlist_type', 'vod'],
    ...['-hls_flags', 'single_file+independent_segments', '-hls_segment_type', 'fmp4'],
    ...['-hls_segment_filename', `${name}.mp4`, `${name}.m3u8`],
  ];
}

/** Silence fills the time before and after the sound. */
export function toAudioArgs(audio: ProbedSource['audio'], shouldCopy = audio?.isPlayable === true): string[] {
  if (!audio) return ['-an'];
  if (shouldCopy) return ['-c:a', 'copy'];
  const padding = audio.silentSeconds > 0 ? `,apad=pad_dur=${audio.silentSeconds.toFixed(3)}` : '';
  return [...AAC_ARGS, '-af', `aresample=async=1:first_pts=0${padding}`];
}

/** Both values are in seconds. */
export function isComplete(seconds: number, declaredSeconds: number): boolean {
  return seconds > 0 && seconds >= declaredSeconds * 0.9 - 2;
}

/** A full disk is retried. Every other failure is the file's fault. */
export function toMediaError(error: unknown, message: string): unknown {
  if (!(error instanceof ToolError) || isDiskFull(error)) return error;
  return new MediaError(message, { cause: error });
}

export function isDiskFull(error: unknown): boolean {
  if (error instanceof ToolError) return /No space left|Disk quota exceeded/.test(error.stderr);
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
}

export type PackagedRendition = { rendition: Rendition; longestSeconds: number; seconds: number };

/** Before the inspection, the sound is assumed to be playable. */
type ExpectedStreams = Pick<ProbedSource, 'demuxer' | 'audio'>;

/** Throws ToolError. */
async function copyStreams(
  { tools, dir, signal }: ToolWorkspace,
  file: string,
  { demuxer, audio }: ExpectedStreams | { demuxer: Demuxer; audio: 'any' },
  progress: { seconds?: () => number; onProgress?: (done: number) => void },
): Promise<DamageDetector> {
  const damage = new DamageDetector();
  const sound =
    audio === 'any' ? ['-map', '0:a:0?', '-c:a', 'copy'] : [...(audio ? ['-map', '0:a:0'] : []), ...toAudioArgs(audio)];
  const args = [
    ...toInputArgs(demuxer, file),
    '-map',
    '0:V:0',
    ...sound,
    ...STRIP_METADATA,
    '-c:v',
    'copy',
    '-tag:v',
    'avc1',
  ];
  await runFfmpeg(tools, {
    args: [...args, ...toHlsArgs(SOURCE_NAME)],
    cwd: dir,
    limits: { ...TOOL_LIMITS.copy, signal },
    onLine: damage.addLine,
    ...progress,
  });
  return damage;
}

/**
 * Returns undefined if the result is damaged, or shorter or longer than declared. A longer one contains what an editor
 * cut off in front, which must not be shown.
 */
export async function remuxSource(
  workspace: ToolWorkspace,
  file: string,
  source: VideoSource,
  onProgress?: (done: number) => void,
  earlyRemux?: EarlyRemux,
): Promise<PackagedRendition | undefined> {
  // An early failure may only mean that the file is of another kind.
  const earlyDamage = await earlyRemux?.done.catch(() => undefined);
  const progress = { seconds: () => source.seconds, ...(onProgress && { onProgress }) };
  const damage = earlyDamage ?? (await copyStreams(workspace, file, source, progress));
  if (damage.isDetected) return undefined;
  const { width, height } = source.video;
  const packaged = await measureRendition(workspace.dir, { name: SOURCE_NAME, width, height });
  const isLonger = source.seconds > 0 && packaged.seconds > source.seconds + DURATION_TOLERANCE;
  return isComplete(packaged.seconds, source.seconds) && !isLonger ? packaged : undefined;
}

export type EarlyRemux = {
  done: Promise<DamageDetector>;
  /** Resolves when the process has ended and its files are deleted. */
  cancel: () => Promise<void>;
};

/**
 * Packages as H.264 with AAC, the most common kind, during the inspection, because starting a program takes longer than
 * copying a short video.
 */
export function startEarlyRemux(
  workspace: ToolWorkspace,
  file: string,
  demuxer: Demuxer,
  source: () => ProbedSource | undefined,
  onProgress: (done: number) => void,
): EarlyRemux {
  const abortController = new AbortController();
  const signal = workspace.signal
    ? AbortSignal.any([workspace.signal, abortController.signal])
    : abortController.signal;
  const seconds = () => source()?.seconds ?? 0;
  const done = copyStreams({ ...workspace, signal }, file, { demuxer, audio: 'any' }, { seconds, onProgress });
  // Prevents an unhandled rejection. A caller that waits still gets the failure.
  done.catch(() => undefined);
  return {
    done,
    cancel: async () => {
      abortController.abort(new Error('the source is of another kind'));
      await done.catch(() => undefined);
      for (const ending of ['mp4', 'm3u8']) await rm(`${workspace.dir}/${SOURCE_NAME}.${ending}`, { force: true });
    },
  };
}

export function canUseEarlyRemux({ video, audio }: ProbedSource): boolean {
  return video?.isPlayable === true && audio?.isPlayable !== false;
}

export async function createPlainFile(
  { tools, dir, signal }: ToolWorkspace,
  input: { file: string; source: ProbedSource },
  name: string,
): Promise<void> {
  const { file, source } = input;
  const maps = ['-map', '0:V:0', ...(source.audio ? ['-map', '0:a:0'] : [])];
  const args = [
    ...toInputArgs(source.demuxer, file),
    ...maps,
    ...STRIP_METADATA,
    '-c:v',
    'copy',
    '-tag:v',
    'avc1',
    ...toAudioArgs(source.audio),
  ];
  await runFfmpeg(tools, {
    args: [...args, '-f', 'mp4', '-movflags', '+faststart', name],
    cwd: dir,
    limits: { ...TOOL_LIMITS.copy, niceness: 10, signal },
  });
}
