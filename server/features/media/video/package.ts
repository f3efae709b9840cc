/** Makes a video playable without encoding its picture: the same H.264 in fragments (HLS), and as one plain MP4. */
import { VIDEO } from '@stagedoor/contract/atoms/limits.ts';
import { MediaError, SENTENCES } from '../sentences.ts';
import type { Source } from './inspect.ts';
import { measureRung, type Rung } from './playlist.ts';
import { inputOf, LIMITS, runFfmpeg, ToolError, type Tools } from './tools.ts';

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

/** The sound as it is where browsers play it, else as AAC. */
export function soundOf(source: Source, codec: readonly string[] = []): string[] {
  if (!source.audio) return ['-an'];
  return source.audio.isPlayable && codec.length === 0 ? ['-c:a', 'copy'] : [...AAC];
}

/** Throws for a file that ends long before it said it would. */
export function assertWhole(source: Source, seconds: number): void {
  if (seconds <= 0 || seconds < source.seconds * 0.9 - 2) throw new MediaError(SENTENCES.damagedVideo);
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

/** The rung of the source's own picture: `src.m3u8` and `src.mp4` in the folder. Throws MediaError for a broken file. */
export async function packageAsIs(
  { tools, dir, signal }: Bench,
  file: string,
  source: Source & { video: NonNullable<Source['video']> },
  onProgress?: (done: number) => void,
): Promise<Packaged> {
  const name = 'src';
  const maps = ['-map', '0:v:0', ...(source.audio ? ['-map', '0:a:0'] : [])];
  const args = [
    ...inputOf(source.demuxer, file),
    ...maps,
    ...STRIPPED,
    '-c:v',
    'copy',
    '-tag:v',
    'avc1',
    ...soundOf(source),
  ];
  try {
    await runFfmpeg(tools, {
      args: [...args, ...hlsOf(name)],
      cwd: dir,
      limits: { ...LIMITS.copy, signal },
      seconds: source.seconds,
      ...(onProgress ? { onProgress } : {}),
    });
    const { width, height } = source.video;
    const packaged = await measureRung(dir, { name, width, height });
    assertWhole(source, packaged.seconds);
    return packaged;
  } catch (error) {
    throw asMediaError(error, SENTENCES.damagedVideo);
  }
}

/** One plain MP4 that any browser plays, its index in front: of the source, or of a rung that was made of it. */
export async function makeFile(
  { tools, dir, signal }: Bench,
  input: { file: string; source: Source },
  name: string,
): Promise<void> {
  const { file, source } = input;
  const maps = ['-map', '0:v:0', ...(source.audio ? ['-map', '0:a:0'] : [])];
  const args = [
    ...inputOf(source.demuxer, file),
    ...maps,
    ...STRIPPED,
    '-c:v',
    'copy',
    '-tag:v',
    'avc1',
    ...soundOf(source),
  ];
  await runFfmpeg(tools, {
    args: [...args, '-f', 'mp4', '-movflags', '+faststart', name],
    cwd: dir,
    limits: { ...LIMITS.copy, niceness: 10, signal },
  });
}
