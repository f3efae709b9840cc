/** Modules register their uses, because the media module knows none of them. */
import type { MediaDetail } from '@stagedoor/contract/content/media.ts';
import type { Context } from '../../../../platform/context.ts';

export type MediaUse = MediaDetail['uses'][number];

export type MediaUseReader = {
  listMediaUses(mediaId: string): Promise<MediaUse[]>;
  /** Only the posts module implements it. */
  listPostIds?(mediaIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
};

const readersByContext = new WeakMap<Context, MediaUseReader[]>();

export function registerMediaUseReader(ctx: Context, reader: MediaUseReader): void {
  readersByContext.set(ctx, [...(readersByContext.get(ctx) ?? []), reader]);
}

export async function listMediaUses(ctx: Context, mediaId: string): Promise<MediaUse[]> {
  const uses = await Promise.all((readersByContext.get(ctx) ?? []).map((reader) => reader.listMediaUses(mediaId)));
  return uses.flat().sort((a, b) => b.createdAt.localeCompare(a.createdAt));
}

export async function listPostIds(ctx: Context, mediaIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const postIds = new Map<string, string>();
  if (mediaIds.length === 0) return postIds;
  for (const reader of readersByContext.get(ctx) ?? [])
    for (const [mediaId, postId] of (await reader.listPostIds?.(mediaIds)) ?? []) postIds.set(mediaId, postId);
  return postIds;
}
