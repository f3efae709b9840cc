import { calculateAffordableSeconds } from '@stagedoor/contract/messaging/call-states.ts';
import type { CallerRule } from '@stagedoor/contract/messaging/caller-rules.ts';
import {
  type CALL_UNAVAILABLE_REASONS,
  type CallSettings,
  type CallTerms,
  callSettings,
  type updateCallSettings,
} from '@stagedoor/contract/messaging/calls.ts';
import { AppError, createFieldError } from '@stagedoor/contract/shared/errors.ts';
import { toCents, toUsd } from '@stagedoor/contract/shared/money.ts';
import type { BodyOf } from '@stagedoor/contract/shared/route.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../../platform/context.ts';
import type { DbTransaction, Executor, SqlStatement } from '../../../../platform/database/db.ts';
import { requireNotGeoBlocked } from '../../../../platform/geo.ts';
import type { Actor } from '../../../../platform/security/session.ts';
import {
  getFanWallet,
  presentSpendingBound,
  requirePriceInLimits,
  requireSellerEligible,
  toSpendable,
} from '../../../commerce/sales/index.ts';
import { lockOwnTier } from '../../../content/subscription-tiers/index.ts';
import { findUserState } from '../../../identity/accounts/index.ts';
import { getBlocksBetween } from '../../chat/index.ts';
import '../events.ts';
import * as texts from '../texts.ts';
import { findCallerObstacle } from './callers.ts';
import { findNextOpening, getOffsetMinutes, isOpenAt } from './hours.ts';
import { isUnreachable } from './reach.ts';

export type StoredCallSettings = {
  videoRateCents: number | null;
  audioRateCents: number | null;
  isAvailable: boolean;
  minMinutes: number;
  hours: CallSettings['hours'];
  timeZone: string;
  callerRule: CallerRule;
  callerTierId: CallSettings['callerTierId'];
};

const DEFAULT_SETTINGS: StoredCallSettings = {
  videoRateCents: null,
  audioRateCents: null,
  isAvailable: true,
  minMinutes: 1,
  hours: [],
  timeZone: 'UTC',
  callerRule: 'everyone',
  callerTierId: null,
};

const FIND_SETTINGS: SqlStatement = {
  name: 'calls-settings',
  text: `select video_rate_cents as "videoRateCents", audio_rate_cents as "audioRateCents", is_available as "isAvailable",
    min_minutes as "minMinutes", hours, time_zone as "timeZone", caller_rule as "callerRule", caller_tier_id as "callerTierId" from call_settings where creator_id = $1`,
};

export async function getStoredSettings(db: Executor, creatorId: string): Promise<StoredCallSettings> {
  const [row] = await db.run<StoredCallSettings>(FIND_SETTINGS, [creatorId]);
  return row ? { ...row, hours: z.parse(callSettings.shape.hours, row.hours) } : DEFAULT_SETTINGS;
}

const mapNullable = <T, R>(value: T | null, convert: (value: T) => R): R | null =>
  value === null ? null : convert(value);

export function presentSettings({ videoRateCents, audioRateCents, ...settings }: StoredCallSettings): CallSettings {
  return { ...settings, videoRate: mapNullable(videoRateCents, toUsd), audioRate: mapNullable(audioRateCents, toUsd) };
}

export async function viewSettings(ctx: Context, actor: Actor): Promise<CallSettings> {
  return presentSettings(await getStoredSettings(ctx.db, actor.userId));
}

const UPSERT_SETTINGS: SqlStatement = {
  name: 'calls-upsert-settings',
  text: `insert into call_settings (creator_id, video_rate_cents, audio_rate_cents, is_available, min_minutes, hours, time_zone, updated_at, caller_rule, caller_tier_id)
      values ($1, $2, $3, $4, $5, $6::jsonb, $7, $8, $9, $10)
    on conflict (creator_id) do update set video_rate_cents = excluded.video_rate_cents, audio_rate_cents = excluded.audio_rate_cents,
      is_available = excluded.is_available, min_minutes = excluded.min_minutes, hours = excluded.hours,
      time_zone = excluded.time_zone, updated_at = excluded.updated_at, caller_rule = excluded.caller_rule,
      caller_tier_id = excluded.caller_tier_id`,
};

/** The price a minute of the call button, which cards show (docs/adr/0019). Null while no calls are taken. */
function findCardRate({ videoRateCents, audioRateCents, isAvailable }: StoredCallSettings): number | null {
  return isAvailable ? (videoRateCents ?? audioRateCents) : null;
}

/** Throws VALIDATION for a deleted tier, as for one of another creator. */
async function requireCallerTier(
  tx: DbTransaction,
  creatorId: string,
  { callerTierId }: Pick<StoredCallSettings, 'callerTierId'>,
): Promise<void> {
  if (callerTierId !== null && !(await lockOwnTier(tx, creatorId, callerTierId)))
    throw createFieldError('callerTierId', texts.tierGone);
}

async function saveSettings(ctx: Context, actor: Actor, settings: StoredCallSettings): Promise<CallSettings> {
  const { videoRateCents, audioRateCents, isAvailable, minMinutes, hours, timeZone } = settings;
  await ctx.db.transaction(async (tx) => {
    const previous = await getStoredSettings(tx, actor.userId);
    if (settings.callerTierId !== previous.callerTierId) await requireCallerTier(tx, actor.userId, settings);
    for (const kind of ['video', 'audio'] as const) {
      const rateCents = settings[`${kind}RateCents`];
      if (rateCents !== null && rateCents !== previous[`${kind}RateCents`])
        await requirePriceInLimits(tx, 'callRate', rateCents, `${kind}Rate`);
    }
    if (findCardRate(settings) !== null && findCardRate(previous) === null)
      await requireSellerEligible(ctx, tx, actor.userId, { subject: texts.paidCalls });
    await tx.run(UPSERT_SETTINGS, [
      ...[actor.userId, videoRateCents, audioRateCents, isAvailable],
      ...[minMinutes, JSON.stringify(hours), timeZone, ctx.clock.now(), settings.callerRule, settings.callerTierId],
    ]);
    const rateCents = findCardRate(settings);
    await tx.emit('call.settingsChanged', { creatorId: actor.userId, username: actor.username, rateCents });
  });
  return presentSettings(settings);
}

/**
 * The price of open calls does not change. Throws VALIDATION for a new price outside the current limits and for a tier of
 * another creator, NOT_VERIFIED for the first price of a creator who may not sell.
 */
export async function changeSettings(
  ctx: Context,
  actor: Actor,
  settings: BodyOf<typeof updateCallSettings>,
): Promise<CallSettings> {
  const { videoRate, audioRate, callerRule, callerTierId, ...rest } = settings;
  const stored = await getStoredSettings(ctx.db, actor.userId);
  return saveSettings(ctx, actor, {
    ...rest,
    ...(callerRule === undefined
      ? { callerRule: stored.callerRule, callerTierId: stored.callerTierId }
      : { callerRule, callerTierId: callerRule === 'subscribers' ? callerTierId : null }),
    videoRateCents: mapNullable(videoRate, toCents),
    audioRateCents: mapNullable(audioRate, toCents),
  });
}

export async function setAvailable(ctx: Context, actor: Actor, isAvailable: boolean): Promise<CallSettings> {
  return saveSettings(ctx, actor, { ...(await getStoredSettings(ctx.db, actor.userId)), isAvailable });
}

export type UnavailableReason = (typeof CALL_UNAVAILABLE_REASONS)[number];

export function findClosedReason(settings: StoredCallSettings, at: Date): 'off' | 'closed' | undefined {
  if (!settings.isAvailable) return 'off';
  return isOpenAt(settings.hours, settings.timeZone, at) ? undefined : 'closed';
}

const IS_BUSY: SqlStatement = {
  name: 'calls-is-busy',
  text: 'select id from calls where creator_id = $1 and ended_at is null',
};

async function findUnavailableReason(
  ctx: Context,
  creatorId: string,
  settings: StoredCallSettings,
  viewer: Actor | undefined,
): Promise<UnavailableReason | null> {
  const fanId = viewer?.type === 'customer' ? viewer.userId : undefined;
  const blocks = fanId === undefined ? undefined : await getBlocksBetween(ctx.db, fanId, creatorId);
  if (blocks?.isUnknown) throw new AppError('NOT_FOUND');
  if (blocks?.byFan) return 'blocked';
  // A blocked or declined fan must not learn of it, so the creator appears to take no calls.
  if (blocks?.byCreator || blocks?.isDeclined) return 'off';
  const isOffered = settings.videoRateCents !== null || settings.audioRateCents !== null;
  const closed = isOffered ? findClosedReason(settings, ctx.clock.now()) : 'off';
  if (closed === 'off') return closed;
  const obstacle = fanId && (await findCallerObstacle(ctx, settings, fanId, creatorId));
  if (obstacle) return obstacle;
  if (closed) return closed;
  if (await isUnreachable(ctx, creatorId)) return 'offline';
  return (await ctx.db.run(IS_BUSY, [creatorId])).length > 0 ? 'busy' : null;
}

/** Throws NOT_FOUND for other users and for creators who are blocked or hidden from the viewer. */
export async function viewCallTerms(ctx: Context, actor: Actor | undefined, creatorId: string): Promise<CallTerms> {
  const user = await findUserState(ctx.db, creatorId);
  if (user?.type !== 'creator' || user.is_blocked) throw new AppError('NOT_FOUND');
  requireNotGeoBlocked(creatorId);
  const now = ctx.clock.now();
  const settings = await getStoredSettings(ctx.db, creatorId);
  const unavailableReason = await findUnavailableReason(ctx, creatorId, settings, actor);
  const opensAt = unavailableReason === 'closed' ? findNextOpening(settings.hours, settings.timeZone, now) : undefined;
  const wallet = actor?.type === 'customer' ? await getFanWallet(ctx.db, actor.userId, now) : undefined;
  const calculateSeconds = (rateCents: number | null) =>
    wallet && rateCents !== null ? calculateAffordableSeconds(toSpendable(wallet).cents, rateCents) : 0;
  // The hours and the time zone are hidden from viewers who cannot call at all.
  const hours = unavailableReason === 'off' || unavailableReason === 'blocked' ? [] : settings.hours;
  return {
    creatorId: user.id,
    videoRate: mapNullable(settings.videoRateCents, toUsd),
    audioRate: mapNullable(settings.audioRateCents, toUsd),
    minMinutes: settings.minMinutes,
    unavailableReason,
    opensAt: opensAt?.toISOString() ?? null,
    hours,
    hoursOffset: hours.length === 0 ? 0 : getOffsetMinutes(settings.timeZone, opensAt ?? now),
    affordable: wallet
      ? {
          videoSeconds: calculateSeconds(settings.videoRateCents),
          audioSeconds: calculateSeconds(settings.audioRateCents),
          bound: presentSpendingBound(wallet),
        }
      : null,
  };
}
