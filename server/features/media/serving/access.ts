/** Security: one function decides, modules register what they grant, and nothing is granted by default. */
import type { Context } from '../../../kernel/context.ts';
import { isHiddenHere, keyOfHere } from '../../../kernel/places.ts';
import type { Actor } from '../../../kernel/session.ts';
import * as store from '../store.ts';

export type Grant = (viewer: Actor, mediaId: string) => Promise<boolean>;

/** Operators access media under review with this `tblType`. */
export const DESK_TABLE = 'case';

/** Grants by `tblType` (row C9). */
const grantsOf = new WeakMap<Context, Map<string, { grant: Grant; isFleeting: boolean }>>();

/**
 * Each `tblType` is registered once. With `isFleeting`, browsers must revalidate a cached file before they show it
 * again.
 */
export function grantMedia(ctx: Context, tblType: string, grant: Grant, { isFleeting = false } = {}): void {
  const grants = grantsOf.get(ctx) ?? new Map<string, { grant: Grant; isFleeting: boolean }>();
  if (grants.has(tblType)) throw new Error(`media of ${tblType} are granted twice`);
  grants.set(tblType, { grant, isFleeting });
  grantsOf.set(ctx, grants);
}

function named<T>(registered: ReadonlyMap<string, T> | undefined, tblType: string | undefined): T[] {
  if (tblType === undefined) return [...(registered?.values() ?? [])];
  const one = registered?.get(tblType);
  return one === undefined ? [] : [one];
}

export function isFleeting(ctx: Context, tblType: string | undefined): boolean {
  return named(grantsOf.get(ctx), tblType).some((granted) => granted.isFleeting);
}

/** With a `downloadName` it is sent as an attachment. */
export type GrantedFile = { key: string; contentType: string; downloadName: string | undefined };
type FileGrant = (viewer: Actor, fileKey: string) => Promise<GrantedFile | undefined>;
const fileGrantsOf = new WeakMap<Context, Map<string, FileGrant>>();

export function grantFiles(ctx: Context, tblType: string, grant: FileGrant): void {
  const grants = fileGrantsOf.get(ctx) ?? new Map<string, FileGrant>();
  grants.set(tblType, grant);
  fileGrantsOf.set(ctx, grants);
}

export async function findGrantedFile(
  ctx: Context,
  viewer: Actor | undefined,
  fileKey: string,
  tblType: string | undefined,
): Promise<GrantedFile | undefined> {
  if (!viewer || viewer.isBlocked) return undefined;
  for (const grant of named(fileGrantsOf.get(ctx), tblType)) {
    const file = await grant(viewer, fileKey);
    if (file) return file;
  }
  return undefined;
}

export type Sight = { ownerId: string; isPublic: boolean; isWatermarked: boolean };

/**
 * Returns undefined if the viewer may not see the medium. Its owner may, everyone may while it is public, and otherwise
 * users who are granted it under `tblType`, or under any right without one.
 */
export async function sightOf(
  ctx: Context,
  viewer: Actor | undefined,
  mediaId: string,
  tblType: string | undefined,
): Promise<Sight | undefined> {
  const facts = await store.findOwner(ctx.db, mediaId);
  if (!facts) return undefined;
  const sight = { ownerId: facts.owner_id, isPublic: facts.is_public, isWatermarked: facts.is_watermarked };
  // Taken-down media are visible only to operators who review them.
  if (facts.is_withheld && tblType !== DESK_TABLE) return undefined;
  // Media of a creator who is hidden in the caller's region are not public there.
  if (facts.is_public && !facts.is_withheld && !isHiddenHere(facts.owner_id)) return sight;
  if (!viewer || viewer.isBlocked) return undefined;
  if (facts.owner_id === viewer.userId && !facts.is_withheld) return sight;
  for (const { grant } of named(grantsOf.get(ctx), tblType)) if (await grant(viewer, mediaId)) return sight;
  return undefined;
}

/** Cache TTL of a right, which therefore ends within this time. Players and pages send many requests. */
const KEPT_MS = 5_000;
const MAX_KEPT = 50_000;

/** Caches rights, never refusals, so that a purchase works immediately. */
export class Sights {
  readonly #ctx: Context;
  readonly #known = new Map<string, { sight: Sight; until: number }>();
  readonly #there = new Map<string, number>();
  #changes = 0;

  constructor(ctx: Context) {
    this.#ctx = ctx;
  }

  async find(viewer: Actor | undefined, mediaId: string, tblType: string | undefined): Promise<Sight | undefined> {
    const key = JSON.stringify([mediaId, viewer?.sessionId, tblType, keyOfHere()]);
    const now = this.#ctx.clock.now().getTime();
    const kept = this.#known.get(key);
    if (kept && kept.until > now) return kept.sight;
    const changes = this.#changes;
    const sight = await sightOf(this.#ctx, viewer, mediaId, tblType);
    if (this.#known.size >= MAX_KEPT) this.#known.clear();
    // A result read during a change may be older than the change.
    if (sight && changes === this.#changes) this.#known.set(key, { sight, until: now + KEPT_MS });
    else this.#known.delete(key);
    return sight;
  }

  /** Deleted and taken-down media are not shown, although their files are retained. */
  async isThere(mediaId: string): Promise<boolean> {
    const now = this.#ctx.clock.now().getTime();
    const key = mediaId + keyOfHere();
    if ((this.#there.get(key) ?? 0) > now) return true;
    const changes = this.#changes;
    const facts = await store.findOwner(this.#ctx.db, mediaId);
    const isThere = facts?.is_withheld === false && !isHiddenHere(facts.owner_id);
    if (this.#there.size >= MAX_KEPT) this.#there.clear();
    if (isThere && changes === this.#changes) this.#there.set(key, now + KEPT_MS);
    return isThere;
  }

  forget(): void {
    this.#changes += 1;
    this.#known.clear();
    this.#there.clear();
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
