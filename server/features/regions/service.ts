import { AppError, invalid } from '@stagedoor/contract/atoms/errors.ts';
import type { AnswerOf } from '@stagedoor/contract/atoms/route.ts';
import type { Regions } from '@stagedoor/contract/regions.ts';
import { TURNED_AWAY_DAYS, type viewFromRegion } from '@stagedoor/contract/regions.ts';
import type { Context } from '../../kernel/context.ts';
import type { Transaction } from '../../kernel/db.ts';
import type { Actor } from '../../kernel/session.ts';
import './events.ts';
import type { Counted, Hidden } from './hidden.ts';
import { namedPlace, placesToChoose } from './names.ts';
import * as store from './store.ts';

const DAY_MS = 24 * 60 * 60_000;

export type Kept = { readonly hidden: Hidden; readonly counted: Counted };

export async function writeCounts(ctx: Context, { counted }: Kept): Promise<void> {
  const refusals = counted.take();
  if (refusals.length > 0) await store.addRefusals(ctx.db, refusals, ctx.clock.now());
}

export async function viewRegions(ctx: Context, kept: Kept, actor: Actor): Promise<Regions> {
  await writeCounts(ctx, kept);
  const since = new Date(ctx.clock.now().getTime() - TURNED_AWAY_DAYS * DAY_MS);
  const [codes, counts] = await Promise.all([
    store.readOf(ctx.db, actor.userId),
    store.refusalsSince(ctx.db, actor.userId, since),
  ]);
  const { hasStates } = ctx.places;
  const chosen = new Set(codes);
  // Regions chosen with another geo database stay and can be removed.
  const hidden = placesToChoose(true).filter(({ code }) => chosen.has(code));
  return {
    hidden: hidden.map((place) => ({ ...place, turnedAway: counts.get(place.code) ?? 0 })),
    places: [...placesToChoose(hasStates)],
    hasStates,
  };
}

async function hideIn(tx: Transaction, creatorId: string, codes: readonly string[]): Promise<void> {
  await store.write(tx, creatorId, codes);
  await tx.emit('regions.changed', { creatorId });
}

/**
 * Sets the regions. Throws VALIDATION for an invalid region, or for a state while only countries can be distinguished.
 */
export async function changeRegions(
  ctx: Context,
  kept: Kept,
  actor: Actor,
  codes: readonly string[],
): Promise<Regions> {
  const before = new Set(await store.readOf(ctx.db, actor.userId));
  const known = new Set(placesToChoose(ctx.places.hasStates).map(({ code }) => code));
  if (codes.some((code) => !known.has(code) && !before.has(code)))
    throw invalid('codes', 'Choose locations from the list');
  const chosen = new Set(codes);
  if (chosen.size === before.size && [...chosen].every((code) => before.has(code)))
    return viewRegions(ctx, kept, actor);
  await ctx.db.transaction((tx) => hideIn(tx, actor.userId, [...chosen]));
  // Other processes reload on the event. This one reloads now, so that the caller sees the change.
  await kept.hidden.reload();
  return viewRegions(ctx, kept, actor);
}

/** Returns whether a creator is visible from a region. Throws NOT_FOUND for an invalid region. */
export function viewFrom(kept: Kept, actor: Actor, code: string): AnswerOf<typeof viewFromRegion> {
  const place = namedPlace(code);
  if (!place) throw new AppError('NOT_FOUND');
  const [country = ''] = code.split('-');
  const hidden = kept.hidden.hidden({ country, state: code === country ? undefined : code });
  return { ...place, isSeen: hidden?.ids.has(actor.userId) !== true };
}
