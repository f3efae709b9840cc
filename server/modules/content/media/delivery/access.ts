/** Security: one function decides, modules register what they grant, and nothing is granted by default. */
import type { Context } from '../../../../platform/context.ts';
import { getGeoCacheKey, isGeoBlocked } from '../../../../platform/geo.ts';
import { defineKeyedHook, type HookContext, type KeyedHook } from '../../../../platform/hooks.ts';
import type { Actor } from '../../../../platform/security/session.ts';
import * as store from '../store.ts';

export type MediaGrant = (viewer: Actor, mediaId: string) => Promise<boolean>;

/** Operators access media under review with this `tblType`. */
export const REVIEW_ASSET_TYPE = 'case';

type RegisteredGrant = { grant: MediaGrant; mustRevalidate: boolean };
/** Grants by `tblType` (row C9). */
const mediaGrants = defineKeyedHook<RegisteredGrant>('media.mediaGrant');

/** With `mustRevalidate`, browsers must revalidate a cached file before they show it again. */
export function registerMediaGrant(
  ctx: HookContext,
  tblType: string,
  grant: MediaGrant,
  { mustRevalidate = false } = {},
): void {
  mediaGrants.register(ctx, tblType, { grant, mustRevalidate });
}

function listGrants<T>(ctx: HookContext, grants: KeyedHook<T>, tblType: string | undefined): T[] {
  if (tblType === undefined) return grants.list(ctx);
  const grant = grants.find(ctx, tblType);
  return grant === undefined ? [] : [grant];
}

export function mustRevalidate(ctx: Context, tblType: string | undefined): boolean {
  return listGrants(ctx, mediaGrants, tblType).some((granted) => granted.mustRevalidate);
}

/** With a `downloadName` it is sent as an attachment. */
export type GrantedFile = { key: string; contentType: string; downloadName: string | undefined };
type FileGrant = (viewer: Actor, fileKey: string) => Promise<GrantedFile | undefined>;
const fileGrants = defineKeyedHook<FileGrant>('media.fileGrant');
export const registerFileGrant = fileGrants.register;

export async function findGrantedFile(
  ctx: Context,
  viewer: Actor | undefined,
  fileKey: string,
  tblType: string | undefined,
): Promise<GrantedFile | undefined> {
  if (!viewer || viewer.isBlocked) return undefined;
  for (const grant of listGrants(ctx, fileGrants, tblType)) {
    const file = await grant(viewer, fileKey);
    if (file) return file;
  }
  return undefined;
}

export type MediaAccess = { ownerId: string; isPublic: boolean; isWatermarked: boolean };

/**
 * Returns undefined if the viewer may not see the medium. Its owner may, everyone may while it is public, and otherwise
 * users who are granted it under `tblType`, or under any right without one.
 */
export async function findMediaAccess(
  ctx: Context,
  viewer: Actor | undefined,
  mediaId: string,
  tblType: string | undefined,
): Promise<MediaAccess | undefined> {
  const owner = await store.findMediaOwner(ctx.db, mediaId);
  if (!owner) return undefined;
  const access = { ownerId: owner.owner_id, isPublic: owner.is_public, isWatermarked: owner.is_watermarked };
  // Taken-down media are visible only to operators who review them.
  if (owner.is_taken_down && tblType !== REVIEW_ASSET_TYPE) return undefined;
  // Media of a creator who is hidden in the caller's region are not public there.
  if (owner.is_public && !owner.is_taken_down && !isGeoBlocked(owner.owner_id)) return access;
  if (!viewer || viewer.isBlocked) return undefined;
  if (owner.owner_id === viewer.userId && !owner.is_taken_down) return access;
  for (const { grant } of listGrants(ctx, mediaGrants, tblType)) if (await grant(viewer, mediaId)) return access;
  return undefined;
}

/** Cache TTL of a right, which therefore ends within this time. Players and pages send many requests. */
const CACHE_TTL_MS = 5_000;
const MAX_CACHED = 50_000;

/** Caches rights, never refusals, so that a purchase works immediately. */
export class MediaAccessCache {
  readonly #ctx: Context;
  readonly #accessByKey = new Map<string, { access: MediaAccess; expiresAt: number }>();
  readonly #availableUntil = new Map<string, number>();
  #changes = 0;

  constructor(ctx: Context) {
    this.#ctx = ctx;
  }

  async find(
    viewer: Actor | undefined,
    mediaId: string,
    tblType: string | undefined,
  ): Promise<MediaAccess | undefined> {
    const key = JSON.stringify([mediaId, viewer?.sessionId, tblType, getGeoCacheKey()]);
    const now = this.#ctx.clock.now().getTime();
    const cached = this.#accessByKey.get(key);
    if (cached && cached.expiresAt > now) return cached.access;
    const changes = this.#changes;
    const access = await findMediaAccess(this.#ctx, viewer, mediaId, tblType);
    if (this.#accessByKey.size >= MAX_CACHED) this.#accessByKey.clear();
    // A result read during a change may be older than the change.
    if (access && changes === this.#changes) this.#accessByKey.set(key, { access, expiresAt: now + CACHE_TTL_MS });
    else this.#accessByKey.delete(key);
    return access;
  }

  /** Deleted and taken-down media are not shown, although their files are retained. */
  async isAvailable(mediaId: string): Promise<boolean> {
    const now = this.#ctx.clock.now().getTime();
    const key = mediaId + getGeoCacheKey();
    if ((this.#availableUntil.get(key) ?? 0) > now) return true;
    const changes = this.#changes;
    const owner = await store.findMediaOwner(this.#ctx.db, mediaId);
    const isAvailable = owner?.is_taken_down === false && !isGeoBlocked(owner.owner_id);
    if (this.#availableUntil.size >= MAX_CACHED) this.#availableUntil.clear();
    if (isAvailable && changes === this.#changes) this.#availableUntil.set(key, now + CACHE_TTL_MS);
    return isAvailable;
  }

  invalidate(): void {
    this.#changes += 1;
    this.#accessByKey.clear();
    this.#availableUntil.clear();
  }
}

/** Returns undefined for an upload of another user. */
export async function findOwnUpload(
  ctx: Context,
  actor: Pick<Actor, 'userId'>,
  mediaId: string,
): Promise<store.MediaRow | undefined> {
  const unsafeMedia = await store.findMedia(ctx.db, mediaId);
  return unsafeMedia?.owner_id === actor.userId && unsafeMedia.status !== 'uploading' ? unsafeMedia : undefined;
}
