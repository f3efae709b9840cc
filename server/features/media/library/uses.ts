/** Modules register their uses, because the media module knows none of them. */
import type { MediaDetail } from '@stagedoor/contract/media.ts';
import type { Context } from '../../../kernel/context.ts';

export type Use = MediaDetail['uses'][number];

export type UseReader = {
  usesOf(mediaId: string): Promise<Use[]>;
  /** Only the posts module implements it. */
  postsOf?(mediaIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
};

const readersOf = new WeakMap<Context, UseReader[]>();

export function registerUses(ctx: Context, reader: UseReader): void {
  readersOf.set(ctx, [...(readersOf.get(ctx) ?? []), reader]);
}

export async function usesOf(ctx: Context, mediaId: string): Promise<Use[]> {
  const uses = await Promise.all((readersOf.get(ctx) ?? []).map((reader) => reader.usesOf(mediaId)));
  return uses.flat().sort((a, b) => b.createdAt.localeCompare(a.createdAt));
}

export async function postsOf(ctx: Context, mediaIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  if (mediaIds.length === 0) return found;
  for (const reader of readersOf.get(ctx) ?? [])
    for (const [mediaId, postId] of (await reader.postsOf?.(mediaIds)) ?? []) found.set(mediaId, postId);
  return found;
}
