/** Who may see open variants. One function decides; rooms above add what they grant, and nothing is granted by default. */
import type { Context } from '../../kernel/context.ts';
import type { Actor } from '../../kernel/session.ts';
import * as store from './store.ts';

/** Whether that room lets the viewer see a medium, for example because they bought the post that it hangs in. */
export type Grant = (viewer: Actor, mediaId: string) => Promise<boolean>;

/** By `tblType` of row C9. */
const grantsOf = new WeakMap<Context, Map<string, Grant>>();

/** Registers what a room grants under a `tblType`; once each. */
export function grantMedia(ctx: Context, tblType: string, grant: Grant): void {
  const grants = grantsOf.get(ctx) ?? new Map<string, Grant>();
  if (grants.has(tblType)) throw new Error(`media of ${tblType} are granted twice`);
  grants.set(tblType, grant);
  grantsOf.set(ctx, grants);
}

/** Whether the viewer may see open variants of a medium: its owner; anybody while it is public; else who is granted it. */
export async function maySee(
  ctx: Context,
  viewer: Actor | undefined,
  mediaId: string,
  tblType: string,
): Promise<boolean> {
  const facts = await store.findOwner(ctx.db, mediaId);
  if (!facts) return false;
  if (facts.is_public) return true;
  if (!viewer || viewer.isBlocked) return false;
  if (facts.owner_id === viewer.userId) return true;
  return (await grantsOf.get(ctx)?.get(tblType)?.(viewer, mediaId)) ?? false;
}

/** The row of an upload for its owner. Anybody else's looks like none. */
export async function findOwnUpload(ctx: Context, actor: Actor, mediaId: string): Promise<store.MediaRow | undefined> {
  const unsafeMedia = await store.findMedia(ctx.db, mediaId);
  return unsafeMedia?.owner_id === actor.userId && unsafeMedia.status !== 'uploading' ? unsafeMedia : undefined;
}
