/** Where media are used: rooms above say so, as this one knows none of them. */
import type { MediaDetail } from '@stagedoor/contract/media.ts';
import type { Context } from '../../../kernel/context.ts';

export type Use = MediaDetail['uses'][number];

export type UseReader = {
  /** Every use of a medium by that room, newest first. */
  usesOf(mediaId: string): Promise<Use[]>;
  /** The post that each of these media hangs in; of the room of posts only. */
  postsOf?(mediaIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
};

const readersOf = new WeakMap<Context, UseReader[]>();

/** Registers a room that uses media. */
export function registerUses(ctx: Context, reader: UseReader): void {
  readersOf.set(ctx, [...(readersOf.get(ctx) ?? []), reader]);
}

/** Every use of a medium, newest first. */
export async function usesOf(ctx: Context, mediaId: string): Promise<Use[]> {
  const uses = await Promise.all((readersOf.get(ctx) ?? []).map((reader) => reader.usesOf(mediaId)));
  return uses.flat().sort((a, b) => b.createdAt.localeCompare(a.createdAt));
}

/** The post that each of these media hangs in. */
export async function postsOf(ctx: Context, mediaIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  if (mediaIds.length === 0) return found;
  for (const reader of readersOf.get(ctx) ?? [])
    for (const [mediaId, postId] of (await reader.postsOf?.(mediaIds)) ?? []) found.set(mediaId, postId);
  return found;
}
