/** Modules register their uses, because the media module knows none of them. */
import type { MediaDetail } from '@stagedoor/contract/content/media.ts';
import { defineKeyedHook, type HookContext } from '../../../../platform/hooks.ts';

export type MediaUse = MediaDetail['uses'][number];

export type MediaUseReader = {
  listMediaUses(mediaId: string): Promise<MediaUse[]>;
  /** Only the posts module implements it. */
  listPostIds?(mediaIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Only the drafts module implements it. */
  listDraftIds?(mediaIds: readonly string[]): Promise<ReadonlyMap<string, string[]>>;
};

const useReaders = defineKeyedHook<MediaUseReader>('media.mediaUseReader');
export const registerMediaUseReader = useReaders.register;

export async function listMediaUses(ctx: HookContext, mediaId: string): Promise<MediaUse[]> {
  const uses = await Promise.all(useReaders.list(ctx).map((reader) => reader.listMediaUses(mediaId)));
  return uses.flat().sort((a, b) => b.createdAt.localeCompare(a.createdAt));
}

export async function listPostIds(ctx: HookContext, mediaIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const postIds = new Map<string, string>();
  if (mediaIds.length === 0) return postIds;
  for (const reader of useReaders.list(ctx))
    for (const [mediaId, postId] of (await reader.listPostIds?.(mediaIds)) ?? []) postIds.set(mediaId, postId);
  return postIds;
}

export async function listDraftIds(
  ctx: HookContext,
  mediaIds: readonly string[],
): Promise<ReadonlyMap<string, string[]>> {
  const draftIds = new Map<string, string[]>();
  if (mediaIds.length === 0) return draftIds;
  for (const reader of useReaders.list(ctx))
    for (const [mediaId, ids] of (await reader.listDraftIds?.(mediaIds)) ?? []) draftIds.set(mediaId, ids);
  return draftIds;
}
