/** Excerpts and frames of a stored video, from its best rendition. */

import type { Storage } from '../../../../../platform/storage/storage.ts';
import { type Excerpt, extractExcerpt, extractFrame, type ToolWorkspace } from '../../../media-processing/index.ts';
import { toRenditionPath, variantKey } from '../../keys.ts';
import type { MediaRow } from '../../store.ts';

/** `from` and `to` are in seconds. Returns undefined if the store has no rendition. */
export async function extractStoredExcerpt(
  storage: Storage,
  workspace: ToolWorkspace,
  row: Pick<MediaRow, 'id' | 'source'>,
  from: number,
  to: number,
): Promise<Excerpt | undefined> {
  const bestRendition = row.source?.renditions.toSorted((a, b) => b.height - a.height)[0];
  if (!bestRendition) return undefined;
  const [playlist, media] = await Promise.all(
    [toRenditionPath(bestRendition, 'm3u8'), toRenditionPath(bestRendition, 'mp4')].map((file) =>
      storage.open(variantKey(row.id, file)),
    ),
  );
  return playlist && media && extractExcerpt(workspace, { playlist, media }, from, to);
}

/** Returns undefined if there is no frame at that second. */
export async function extractStoredFrame(
  storage: Storage,
  workspace: ToolWorkspace,
  row: Pick<MediaRow, 'id' | 'source'>,
  second: number,
): Promise<Buffer | undefined> {
  const excerpt = await extractStoredExcerpt(storage, workspace, row, second, second);
  if (!excerpt) return undefined;
  const offset = Math.max(0, Math.min(second - excerpt.start, excerpt.seconds - 0.05));
  return (await extractFrame(workspace, excerpt, offset)) ?? extractFrame(workspace, excerpt, 0);
}
