/** Choosing where one is not to be seen, seeing that it holds, and what was turned away. */
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

/** What the routes share of one process. */
export type Kept = { readonly hidden: Hidden; readonly counted: Counted };

/** Writes what was counted since the last time. */
export async function writeCounts(ctx: Context, { counted }: Kept): Promise<void> {
  const refusals = counted.take();
  if (refusals.length > 0) await store.addRefusals(ctx.db, refusals, ctx.clock.now());
}

/** Where a creator is hidden, and how often somebody was turned away for it. */
export async function viewRegions(ctx: Context, kept: Kept, actor: Actor): Promise<Regions> {
  await writeCounts(ctx, kept);
  const since = new Date(ctx.clock.now().getTime() - TURNED_AWAY_DAYS * DAY_MS);
  const [codes, counts] = await Promise.all([
    store.readOf(ctx.db, actor.userId),
    store.refusalsSince(ctx.db, actor.userId, since),
  ]);
  const { hasStates } = ctx.places;
  const chosen = new Set(codes);
  // What was chosen by another database stays, and can be taken away.
  const hidden = placesToChoose(true).filter(({ code }) => chosen.has(code));
  return {
    hidden: hidden.map((place) => ({ ...place, turnedAway: counts.get(place.code) ?? 0 })),
    places: [...placesToChoose(hasStates)],
    hasStates,
  };
}

/** Hides a creator in these places and nowhere else, in the caller's transaction. */
async function hideIn(tx: Transaction, creatorId: string, codes: readonly string[]): Promise<void> {
  await store.write(tx, creatorId, codes);
  await tx.emit('regions.changed', { creatorId });
}

/** Chooses the places. Throws VALIDATION for a place that is none, or cannot be told from its country. */
export async function changeRegions(
  ctx: Context,
  kept: Kept,
  actor: Actor,
  codes: readonly string[],
): Promise<Regions> {
  const before = new Set(await store.readOf(ctx.db, actor.userId));
  const known = new Set(placesToChoose(ctx.places.hasStates).map(({ code }) => code));
  if (codes.some((code) => !known.has(code) && !before.has(code)))
    throw invalid('codes', 'Please choose places from the list');
  const chosen = new Set(codes);
  if (chosen.size === before.size && [...chosen].every((code) => before.has(code)))
    return viewRegions(ctx, kept, actor);
  await ctx.db.transaction((tx) => hideIn(tx, actor.userId, [...chosen]));
  // The other processes hear of it; whoever chose is to see it now.
  await kept.hidden.reload();
  return viewRegions(ctx, kept, actor);
}

/** Whether a creator is seen from a place, by the rules that are in force. Throws NOT_FOUND for what is no place. */
export function viewFrom(kept: Kept, actor: Actor, code: string): AnswerOf<typeof viewFromRegion> {
  const place = namedPlace(code);
  if (!place) throw new AppError('NOT_FOUND');
  const [country = ''] = code.split('-');
  const hidden = kept.hidden.hidden({ country, state: code === country ? undefined : code });
  return { ...place, isSeen: hidden?.ids.has(actor.userId) !== true };
}
