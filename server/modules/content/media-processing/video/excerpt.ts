/** Extracts a few seconds of a packaged video by the byte ranges of its segments. */
import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { StoredFile } from '../../../../platform/storage/storage.ts';
import { parsePlaylist, type Segment } from './playlist.ts';
import type { VideoFile } from './stills.ts';
import type { ToolWorkspace } from './tools.ts';

export type Excerpt = VideoFile & {
  /** Start in the video, in seconds. */
  start: number;
};

/** `from` and `to` are in seconds. Returns undefined for a video without segments. */
export async function extractExcerpt(
  { dir, signal }: ToolWorkspace,
  { playlist, media }: { playlist: StoredFile; media: StoredFile },
  from: number,
  to: number,
): Promise<Excerpt | undefined> {
  const { init, segments } = parsePlaylist(await text(await playlist.stream()));
  const selected: (Segment & { at: number })[] = [];
  let at = 0;
  for (const segment of segments) {
    if (at + segment.seconds > from && at < Math.max(to, from + 0.001)) selected.push({ ...segment, at });
    at += segment.seconds;
  }
  const last = segments.at(-1);
  if (selected.length === 0 && last) selected.push({ ...last, at: at - last.seconds });
  const [first, end] = [selected[0], selected.at(-1)];
  if (!first || !end) return undefined;
  async function* bytes(): AsyncGenerator<Buffer> {
    if (!first || !end) return;
    yield* await media.stream({ start: init.start, end: init.start + init.length - 1 });
    yield* await media.stream({ start: first.start, end: end.start + end.length - 1 });
  }
  const file = path.join(dir, 'excerpt.mp4');
  await pipeline(Readable.from(bytes()), createWriteStream(file), { signal });
  return {
    file,
    demuxer: 'mov',
    start: first.at,
    seconds: selected.reduce((sum, segment) => sum + segment.seconds, 0),
  };
}
