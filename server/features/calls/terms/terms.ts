import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { toCents, toUsd } from '@stagedoor/contract/atoms/money.ts';
import { secondsFor } from '@stagedoor/contract/call-states.ts';
import { type CALL_ABSENCES, type CallSettings, type CallTerms, callSettings } from '@stagedoor/contract/calls.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../kernel/context.ts';
import type { Executor, Statement } from '../../../kernel/db.ts';
import { requireSeenHere } from '../../../kernel/places.ts';
import type { Actor } from '../../../kernel/session.ts';
import { findUser } from '../../accounts/index.ts';
import { blocksBetween } from '../../chat/index.ts';
import { requireOpenDoor, requirePriceWithin, spendableOf, walletOf } from '../../sales/index.ts';
import '../events.ts';
import { isOpenAt, offsetAt, opensAfter } from './hours.ts';
import { isOutOfReach } from './reach.ts';

export type Terms = {
  videoRateCents: number | null;
  audioRateCents: number | null;
  isAvailable: boolean;
  shortestMinutes: number;
  hours: CallSettings['hours'];
  timeZone: string;
};

const NONE: Terms = {
  videoRateCents: null,
  audioRateCents: null,
  isAvailable: true,
  shortestMinutes: 1,
  hours: [],
  timeZone: 'UTC',
};

const FIND: Statement = {
  name: 'calls-terms',
  text: `select video_rate_cents as "videoRateCents", audio_rate_cents as "audioRateCents", is_available as "isAvailable",
    shortest_minutes as "shortestMinutes", hours, time_zone as "timeZone" from call_terms where creator_id = $1`,
};

export async function termsOf(db: Executor, creatorId: string): Promise<Terms> {
  const [row] = await db.run<Terms>(FIND, [creatorId]);
  return row ? { ...row, hours: z.parse(callSettings.shape.hours, row.hours) } : NONE;
}

const orNull = <T, R>(value: T | null, change: (value: T) => R): R | null => (value === null ? null : change(value));

export function presentSettings({ videoRateCents, audioRateCents, ...terms }: Terms): CallSettings {
  return { ...terms, videoRate: orNull(videoRateCents, toUsd), audioRate: orNull(audioRateCents, toUsd) };
}

export async function viewSettings(ctx: Context, actor: Actor): Promise<CallSettings> {
  return presentSettings(await termsOf(ctx.db, actor.userId));
}

const PUT: Statement = {
  name: 'calls-put-terms',
  text: `insert into call_terms (creator_id, video_rate_cents, audio_rate_cents, is_available, shortest_minutes, hours, time_zone, updated_at)
      values ($1, $2, $3, $4, $5, $6::jsonb, $7, $8)
    on conflict (creator_id) do update set video_rate_cents = excluded.video_rate_cents, audio_rate_cents = excluded.audio_rate_cents,
      is_available = excluded.is_available, shortest_minutes = excluded.shortest_minutes, hours = excluded.hours,
      time_zone = excluded.time_zone, updated_at = excluded.updated_at`,
};

/** The price a minute of the call button, which cards show (docs/adr/0019). Null while no calls are taken. */
function cardRateOf({ videoRateCents, audioRateCents, isAvailable }: Terms): number | null {
  return isAvailable ? (videoRateCents ?? audioRateCents) : null;
}

async function put(ctx: Context, actor: Actor, terms: Terms): Promise<CallSettings> {
  const { videoRateCents, audioRateCents, isAvailable, shortestMinutes, hours, timeZone } = terms;
  await ctx.db.transaction(async (tx) => {
    const before = await termsOf(tx, actor.userId);
    for (const kind of ['video', 'audio'] as const) {
      const rateCents = terms[`${kind}RateCents`];
      if (rateCents !== null && rateCents !== before[`${kind}RateCents`])
        await requirePriceWithin(tx, 'callRate', rateCents, `${kind}Rate`);
    }
    if (cardRateOf(terms) !== null && cardRateOf(before) === null)
      await requireOpenDoor(ctx, tx, actor.userId, { what: 'Paid calls' });
    await tx.run(PUT, [
      ...[actor.userId, videoRateCents, audioRateCents, isAvailable],
      ...[shortestMinutes, JSON.stringify(hours), timeZone, ctx.clock.now()],
    ]);
    const rateCents = cardRateOf(terms);
    await tx.emit('call.termsChanged', { creatorId: actor.userId, username: actor.username, rateCents });
  });
  return presentSettings(terms);
}

/**
 * Open calls keep their price. Throws VALIDATION for a new price outside the current limits, NOT_VERIFIED for the first
 * price of a creator who may not sell.
 */
export function changeSettings(ctx: Context, actor: Actor, settings: CallSettings): Promise<CallSettings> {
  const { videoRate, audioRate, ...rest } = settings;
  return put(ctx, actor, {
    ...rest,
    videoRateCents: orNull(videoRate, toCents),
    audioRateCents: orNull(audioRate, toCents),
  });
}

export async function setAvailable(ctx: Context, actor: Actor, isAvailable: boolean): Promise<CallSettings> {
  return put(ctx, actor, { ...(await termsOf(ctx.db, actor.userId)), isAvailable });
}

export type Absence = (typeof CALL_ABSENCES)[number];

export function closedBy(terms: Terms, at: Date): 'off' | 'closed' | undefined {
  if (!terms.isAvailable) return 'off';
  return isOpenAt(terms.hours, terms.timeZone, at) ? undefined : 'closed';
}

const IS_BUSY: Statement = {
  name: 'calls-is-busy',
  text: 'select id from calls where creator_id = $1 and ended_at is null',
};

async function absenceOf(ctx: Context, creatorId: string, terms: Terms, viewer: Actor | undefined) {
  const blocks = viewer?.type === 'customer' ? await blocksBetween(ctx.db, viewer.userId, creatorId) : undefined;
  if (blocks?.isUnknown) throw new AppError('NOT_FOUND');
  if (blocks?.byFan) return 'blocked';
  // A blocked fan must not learn of the block, so the creator appears to take no calls.
  if (blocks?.byCreator) return 'off';
  const isOffered = terms.videoRateCents !== null || terms.audioRateCents !== null;
  const closed = isOffered ? closedBy(terms, ctx.clock.now()) : 'off';
  if (closed) return closed;
  if (await isOutOfReach(ctx, creatorId)) return 'offline';
  return (await ctx.db.run(IS_BUSY, [creatorId])).length > 0 ? 'busy' : null;
}

/** Throws NOT_FOUND for other users and for creators who are blocked or hidden from the viewer. */
export async function viewTerms(ctx: Context, actor: Actor | undefined, creatorId: string): Promise<CallTerms> {
  const user = await findUser(ctx.db, creatorId);
  if (user?.type !== 'creator' || user.is_blocked) throw new AppError('NOT_FOUND');
  requireSeenHere(creatorId);
  const now = ctx.clock.now();
  const terms = await termsOf(ctx.db, creatorId);
  const absence = await absenceOf(ctx, creatorId, terms, actor);
  const opensAt = absence === 'closed' ? opensAfter(terms.hours, terms.timeZone, now) : undefined;
  const wallet = actor?.type === 'customer' ? await walletOf(ctx.db, actor.userId, now) : undefined;
  const seconds = (rateCents: number | null) =>
    wallet && rateCents !== null ? secondsFor(spendableOf(wallet).cents, rateCents) : 0;
  // The hours and the time zone are hidden from viewers who cannot call at all.
  const hours = absence === 'off' || absence === 'blocked' ? [] : terms.hours;
  return {
    creatorId: user.id,
    videoRate: orNull(terms.videoRateCents, toUsd),
    audioRate: orNull(terms.audioRateCents, toUsd),
    shortestMinutes: terms.shortestMinutes,
    absence,
    opensAt: opensAt?.toISOString() ?? null,
    hours,
    hoursOffset: hours.length === 0 ? 0 : offsetAt(terms.timeZone, opensAt ?? now),
    canTalk: wallet
      ? { videoSeconds: seconds(terms.videoRateCents), audioSeconds: seconds(terms.audioRateCents) }
      : null,
  };
}
