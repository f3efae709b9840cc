/** Extracts a few seconds of a stored video by byte ranges of its best rendition. */
import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Storage } from '../../../kernel/storage.ts';
import { rungFile, variantKey } from '../keys.ts';
import type { MediaRow } from '../store.ts';
import type { Bench } from './package.ts';
import { parsePlaylist, type Segment } from './playlist.ts';
import { type Film, frameAt } from './stills.ts';

export type Excerpt = Film & {
  /** Start in the video, in seconds. */
  start: number;
};

/** `from` and `to` are in seconds. Returns undefined if the store has no rendition. */
export async function excerptOf(
  storage: Storage,
  { dir, signal }: Bench,
  row: Pick<MediaRow, 'id' | 'source'>,
  from: number,
  to: number,
): Promise<Excerpt | undefined> {
  const best = row.source?.rungs.toSorted((a, b) => b.height - a.height)[0];
  if (!best) return undefined;
  const [list, media] = await Promise.all(
    [rungFile(best, 'm3u8'), rungFile(best, 'mp4')].map((file) => storage.open(variantKey(row.id, file))),
  );
  if (!list || !media) return undefined;
  const { init, segments } = parsePlaylist(await text(await list.stream()));
  const taken: (Segment & { at: number })[] = [];
  let at = 0;
  for (const segment of segments) {
    if (at + segment.seconds > from && at < Math.max(to, from + 0.001)) taken.push({ ...segment, at });
    at += segment.seconds;
  }
  const last = segments.at(-1);
  if (taken.length === 0 && last) taken.push({ ...last, at: at - last.seconds });
  const [first, end] = [taken[0], taken.at(-1)];
  if (!first || !end) return undefined;
  async function* bytes(): AsyncGenerator<Buffer> {
    if (!media || !first || !end) return;
    yield* await media.stream({ start: init.start, end: init.start + init.length - 1 });
    yield* await media.stream({ start: first.start, end: end.start + end.length - 1 });
  }
  const file = path.join(dir, 'excerpt.mp4');
  await pipeline(Readable.from(bytes()), createWriteStream(file), { signal });
  return { file, demuxer: 'mov', start: first.at, seconds: taken.reduce((sum, segment) => sum + segment.seconds, 0) };
}

/** Returns undefined if there is no frame at that second. */
export async function storedFrame(
  storage: Storage,
  bench: Bench,
  row: Pick<MediaRow, 'id' | 'source'>,
  second: number,
): Promise<Buffer | undefined> {
  const excerpt = await excerptOf(storage, bench, row, second, second);
  if (!excerpt) return undefined;
  const within = Math.max(0, Math.min(second - excerpt.start, excerpt.seconds - 0.05));
  return (await frameAt(bench, excerpt, within)) ?? frameAt(bench, excerpt, 0);
}
