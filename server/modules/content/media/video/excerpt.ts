/** Extracts a few seconds of a stored video by byte ranges of its best rendition. */
import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Storage } from '../../../../platform/storage/storage.ts';
import { toRenditionPath, variantKey } from '../keys.ts';
import type { MediaRow } from '../store.ts';
import type { ToolWorkspace } from './package.ts';
import { parsePlaylist, type Segment } from './playlist.ts';
import { extractFrame, type VideoFile } from './stills.ts';

export type Excerpt = VideoFile & {
  /** Start in the video, in seconds. */
  start: number;
};

/** `from` and `to` are in seconds. Returns undefined if the store has no rendition. */
export async function extractExcerpt(
  storage: Storage,
  { dir, signal }: ToolWorkspace,
  row: Pick<MediaRow, 'id' | 'source'>,
  from: number,
  to: number,
): Promise<Excerpt | undefined> {
  const bestRendition = row.source?.renditions.toSorted((a, b) => b.height - a.height)[0];
  if (!bestRendition) return undefined;
  const [list, media] = await Promise.all(
    [toRenditionPath(bestRendition, 'm3u8'), toRenditionPath(bestRendition, 'mp4')].map((file) =>
      storage.open(variantKey(row.id, file)),
    ),
  );
  if (!list || !media) return undefined;
  const { init, segments } = parsePlaylist(await text(await list.stream()));
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
    if (!media || !first || !end) return;
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

/** Returns undefined if there is no frame at that second. */
export async function extractStoredFrame(
  storage: Storage,
  workspace: ToolWorkspace,
  row: Pick<MediaRow, 'id' | 'source'>,
  second: number,
): Promise<Buffer | undefined> {
  const excerpt = await extractExcerpt(storage, workspace, row, second, second);
  if (!excerpt) return undefined;
  const offset = Math.max(0, Math.min(second - excerpt.start, excerpt.seconds - 0.05));
  return (await extractFrame(workspace, excerpt, offset)) ?? extractFrame(workspace, excerpt, 0);
}
