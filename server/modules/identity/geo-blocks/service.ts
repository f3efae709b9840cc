import type { GeoBlocks } from '@stagedoor/contract/identity/geo-blocks.ts';
import { BLOCKED_REQUEST_DAYS, type checkGeoVisibility } from '@stagedoor/contract/identity/geo-blocks.ts';
import { AppError, createFieldError } from '@stagedoor/contract/shared/errors.ts';
import type { ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';
import type { Actor } from '../../../platform/security/session.ts';
import './events.ts';
import type { GeoBlockHitCounter, GeoBlockIndex } from './block-index.ts';
import { findRegion, listRegions } from './region-names.ts';
import * as store from './store.ts';
import * as texts from './texts.ts';

const DAY_MS = 24 * 60 * 60_000;

export type GeoBlockState = { readonly index: GeoBlockIndex; readonly hitCounter: GeoBlockHitCounter };

export async function saveHitCounts(ctx: Context, { hitCounter }: GeoBlockState): Promise<void> {
  const hits = hitCounter.takeAll();
  if (hits.length > 0) await store.addHits(ctx.db, hits, ctx.clock.now());
}

export async function getGeoBlockSettings(ctx: Context, geoBlocks: GeoBlockState, actor: Actor): Promise<GeoBlocks> {
  await saveHitCounts(ctx, geoBlocks);
  const since = new Date(ctx.clock.now().getTime() - BLOCKED_REQUEST_DAYS * DAY_MS);
  const [codes, counts] = await Promise.all([
    store.listBlockedCodes(ctx.db, actor.userId),
    store.countHitsSince(ctx.db, actor.userId, since),
  ]);
  const { hasStates } = ctx.geo;
  const chosen = new Set(codes);
  // Regions chosen with another geo database stay and can be removed.
  const blockedRegions = listRegions(true).filter(({ code }) => chosen.has(code));
  return {
    blocked: blockedRegions.map((region) => ({ ...region, blockedRequests: counts.get(region.code) ?? 0 })),
    regions: [...listRegions(hasStates)],
    hasStates,
  };
}

async function saveGeoBlocks(tx: DbTransaction, creatorId: string, codes: readonly string[]): Promise<void> {
  await store.replaceBlocks(tx, creatorId, codes);
  await tx.emit('geoBlocks.changed', { creatorId });
}

/**
 * Sets the regions. Throws VALIDATION for an invalid region, or for a state while only countries can be distinguished.
 */
export async function updateGeoBlocks(
  ctx: Context,
  geoBlocks: GeoBlockState,
  actor: Actor,
  codes: readonly string[],
): Promise<GeoBlocks> {
  const previousCodes = new Set(await store.listBlockedCodes(ctx.db, actor.userId));
  const validCodes = new Set(listRegions(ctx.geo.hasStates).map(({ code }) => code));
  if (codes.some((code) => !validCodes.has(code) && !previousCodes.has(code)))
    throw createFieldError('codes', texts.chooseLocationsFromList);
  const chosen = new Set(codes);
  if (chosen.size === previousCodes.size && [...chosen].every((code) => previousCodes.has(code)))
    return getGeoBlockSettings(ctx, geoBlocks, actor);
  await ctx.db.transaction((tx) => saveGeoBlocks(tx, actor.userId, [...chosen]));
  // Other processes reload on the event. This one reloads now, so that the caller sees the change.
  await geoBlocks.index.reload();
  return getGeoBlockSettings(ctx, geoBlocks, actor);
}

/** Returns whether a creator is visible from a region. Throws NOT_FOUND for an invalid region. */
export function checkVisibility(
  geoBlocks: GeoBlockState,
  actor: Actor,
  code: string,
): ResponseInputOf<typeof checkGeoVisibility> {
  const region = findRegion(code);
  if (!region) throw new AppError('NOT_FOUND');
  const [country = ''] = code.split('-');
  const blocks = geoBlocks.index.findBlocks({ country, state: code === country ? undefined : code });
  return { ...region, isVisible: blocks?.ids.has(actor.userId) !== true };
}
