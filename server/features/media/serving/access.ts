/** Who may see open variants. One function decides; rooms above add what they grant, and nothing is granted by default. */
import type { Context } from '../../../kernel/context.ts';
import { isHiddenHere, keyOfHere } from '../../../kernel/places.ts';
import type { Actor } from '../../../kernel/session.ts';
import * as store from '../store.ts';

/** Whether that room lets the viewer see a medium, for example because they bought the post that it hangs in. */
export type Grant = (viewer: Actor, mediaId: string) => Promise<boolean>;

/** The `tblType` by which operators are granted what they have to look at. */
export const DESK_TABLE = 'case';

/** By `tblType` of row C9. */
const grantsOf = new WeakMap<Context, Map<string, { grant: Grant; isFleeting: boolean }>>();

/**
 * Registers what a room grants under a `tblType`; once each. Where rights are `isFleeting` a browser may keep a file, but asks
 * before it shows it again.
 */
export function grantMedia(ctx: Context, tblType: string, grant: Grant, { isFleeting = false } = {}): void {
  const grants = grantsOf.get(ctx) ?? new Map<string, { grant: Grant; isFleeting: boolean }>();
  if (grants.has(tblType)) throw new Error(`media of ${tblType} are granted twice`);
  grants.set(tblType, { grant, isFleeting });
  grantsOf.set(ctx, grants);
}

/** What is registered under a `tblType`; all of it without one. */
function named<T>(registered: ReadonlyMap<string, T> | undefined, tblType: string | undefined): T[] {
  if (tblType === undefined) return [...(registered?.values() ?? [])];
  const one = registered?.get(tblType);
  return one === undefined ? [] : [one];
}

/** Whether rights under a `tblType` may end at any moment. */
export function isFleeting(ctx: Context, tblType: string | undefined): boolean {
  return named(grantsOf.get(ctx), tblType).some((granted) => granted.isFleeting);
}

/** A file that is no medium, which a room keeps and lets somebody have. With a `downloadName` it is sent as an attachment. */
export type GrantedFile = { key: string; contentType: string; downloadName: string | undefined };
type FileGrant = (viewer: Actor, fileKey: string) => Promise<GrantedFile | undefined>;
const fileGrantsOf = new WeakMap<Context, Map<string, FileGrant>>();

/** Registers which other files a room lets somebody have under its `tblType`. */
export function grantFiles(ctx: Context, tblType: string, grant: FileGrant): void {
  const grants = fileGrantsOf.get(ctx) ?? new Map<string, FileGrant>();
  grants.set(tblType, grant);
  fileGrantsOf.set(ctx, grants);
}

/** The file of a key that a room grants the viewer, or nothing. */
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

/** What a viewer may see of a medium, and whose it is. */
export type Sight = { ownerId: string; isPublic: boolean; isWatermarked: boolean };

/**
 * What the viewer may see of a medium: its owner; anybody while it is public; else who is granted it under `tblType`, or by
 * any right without one. Nothing when they may not.
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
  // Of what is withheld nobody sees anything but who has to look at it.
  if (facts.is_withheld && tblType !== DESK_TABLE) return undefined;
  // What is hidden from where it is asked for is public no more: rooms grant what of it was paid for.
  if (facts.is_public && !facts.is_withheld && !isHiddenHere(facts.owner_id)) return sight;
  if (!viewer || viewer.isBlocked) return undefined;
  if (facts.owner_id === viewer.userId && !facts.is_withheld) return sight;
  for (const { grant } of named(grantsOf.get(ctx), tblType)) if (await grant(viewer, mediaId)) return sight;
  return undefined;
}

/**
 * How long a right that was found is relied on. A player asks for a segment every few seconds and a page for dozens of
 * pictures at once; who loses the right loses the bytes within this time.
 */
const KEPT_MS = 5_000;
const MAX_KEPT = 50_000;

/** Sights known for a few seconds. Only rights are kept, never refusals: who has just bought something sees it at once. */
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
    // What was read while something changed may be older than the change.
    if (sight && changes === this.#changes) this.#known.set(key, { sight, until: now + KEPT_MS });
    else this.#known.delete(key);
    return sight;
  }

  /** Whether there is such a medium: of what was deleted or is withheld nothing is shown, though its bytes rest. */
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

  /** Forgets everything: something changed that rights hang on. */
  forget(): void {
    this.#changes += 1;
    this.#known.clear();
    this.#there.clear();
  }
}

/** The row of an upload for its owner. Anybody else's looks like none. */
export async function findOwnUpload(
  ctx: Context,
  actor: Pick<Actor, 'userId'>,
  mediaId: string,
): Promise<store.MediaRow | undefined> {
  const unsafeMedia = await store.findMedia(ctx.db, mediaId);
  return unsafeMedia?.owner_id === actor.userId && unsafeMedia.status !== 'uploading' ? unsafeMedia : undefined;
}
