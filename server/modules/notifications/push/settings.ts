import {
  DEFAULT_PUSH_SETTINGS,
  type listMutedCreators,
  type PushSettings,
  SAME_TIME_MESSAGE,
  type updatePushSettings,
} from '@stagedoor/contract/notifications/push.ts';
import { AppError, createFieldError } from '@stagedoor/contract/shared/errors.ts';
import { userId } from '@stagedoor/contract/shared/ids.ts';
import type { BodyOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import type { Executor, SqlStatement } from '../../../platform/database/db.ts';
import { requireNotGeoBlocked } from '../../../platform/geo.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { findFollowedCreator } from '../../content/follows/index.ts';
import { isBlockedPair } from '../../identity/blocks/index.ts';

const FIND_SETTINGS: SqlStatement = {
  name: 'push-settings',
  text: `select quiet_from as "quietFrom", quiet_until as "quietUntil", time_zone as "timeZone",
    pushes_per_hour as "pushesPerHour", is_discreet as "isDiscreet" from push_settings where user_id = $1`,
};
const SAVE_SETTINGS: SqlStatement = {
  name: 'push-settings-write',
  text: `insert into push_settings (user_id, quiet_from, quiet_until, time_zone, pushes_per_hour, is_discreet) values ($1, $2, $3, $4, $5, $6)
    on conflict (user_id) do update set quiet_from = excluded.quiet_from, quiet_until = excluded.quiet_until,
      time_zone = excluded.time_zone, pushes_per_hour = excluded.pushes_per_hour, is_discreet = excluded.is_discreet`,
};
const LIST_MUTED_CREATORS: SqlStatement = {
  name: 'push-muted-creators',
  text: 'select creator_id as id from muted_creators where fan_id = $1 order by creator_id',
};
const MUTE_CREATOR: SqlStatement = {
  name: 'push-mute-creator',
  text: 'insert into muted_creators (fan_id, creator_id) values ($1, $2) on conflict do nothing',
};
const UNMUTE_CREATOR: SqlStatement = {
  name: 'push-unmute-creator',
  text: 'delete from muted_creators where fan_id = $1 and creator_id = $2',
};

export async function viewPushSettings(db: Executor, id: string): Promise<PushSettings> {
  return (await db.run<PushSettings>(FIND_SETTINGS, [id]))[0] ?? DEFAULT_PUSH_SETTINGS;
}

const LOCK_SETTINGS: SqlStatement = {
  name: 'push-settings-lock',
  text: `select pg_advisory_xact_lock(hashtext('push-settings ' || $1::text))`,
};
/**
 * Changes only the given settings. Concurrent changes run one after another. Throws VALIDATION on `quietUntil` when quiet
 * hours would end when they begin.
 */
export async function savePushSettings(
  ctx: Context,
  actor: Actor,
  changes: BodyOf<typeof updatePushSettings>,
): Promise<PushSettings> {
  return ctx.db.transaction(async (tx) => {
    await tx.run(LOCK_SETTINGS, [actor.userId]);
    const current = await viewPushSettings(tx, actor.userId);
    const {
      quietFrom = current.quietFrom,
      quietUntil = current.quietUntil,
      timeZone = current.timeZone,
      pushesPerHour = current.pushesPerHour,
      isDiscreet = current.isDiscreet,
    } = changes;
    if (quietFrom !== null && quietFrom === quietUntil) throw createFieldError('quietUntil', SAME_TIME_MESSAGE);
    await tx.run(SAVE_SETTINGS, [actor.userId, quietFrom, quietUntil, timeZone, pushesPerHour, isDiscreet]);
    return { quietFrom, quietUntil, timeZone, pushesPerHour, isDiscreet };
  });
}

const formatTimeIn = (timeZone: string, at: Date): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, hourCycle: 'h23', hour: '2-digit', minute: '2-digit' }).format(at);

export function isQuiet(
  { quietFrom, quietUntil, timeZone }: Pick<PushSettings, 'quietFrom' | 'quietUntil' | 'timeZone'>,
  at: Date,
): boolean {
  if (quietFrom === null || quietUntil === null || quietFrom === quietUntil) return false;
  const time = formatTimeIn(timeZone, at);
  return quietFrom < quietUntil ? quietFrom <= time && time < quietUntil : quietFrom <= time || time < quietUntil;
}

const DAY_MINUTES = 24 * 60;
const MINUTE_MS = 60_000;
const toMinutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

export function findQuietEnd(settings: Pick<PushSettings, 'quietFrom' | 'quietUntil' | 'timeZone'>, at: Date): Date {
  const until = toMinutes(settings.quietUntil ?? '00:00');
  let end = new Date(Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS);
  // Repeated because clocks may go back meanwhile, so that the end is an hour later.
  for (let tries = 0; tries < 3 && isQuiet(settings, end); tries += 1) {
    const leftMinutes = (until - toMinutes(formatTimeIn(settings.timeZone, end)) + DAY_MINUTES) % DAY_MINUTES;
    end = new Date(end.getTime() + (leftMinutes || DAY_MINUTES) * MINUTE_MS);
  }
  return end;
}

export async function viewMutedCreators(
  ctx: Context,
  actor: Actor,
): Promise<ResponseInputOf<typeof listMutedCreators>> {
  const muted = await ctx.db.run<{ id: string }>(LIST_MUTED_CREATORS, [actor.userId]);
  return { creatorIds: muted.map(({ id }) => z.parse(userId, id)) };
}

/** Throws NOT_FOUND for users who are not creators and for a blocked pair. */
export async function setCreatorMuted(
  ctx: Context,
  actor: Actor,
  creatorId: string,
  isPushEnabled: boolean,
): Promise<ResponseInputOf<typeof listMutedCreators>> {
  if (isPushEnabled) requireNotGeoBlocked(creatorId);
  if (!(await findFollowedCreator(ctx.db, creatorId)) || (await isBlockedPair(ctx.db, actor.userId, creatorId)))
    throw new AppError('NOT_FOUND');
  await ctx.db.run(isPushEnabled ? UNMUTE_CREATOR : MUTE_CREATOR, [actor.userId, creatorId]);
  return viewMutedCreators(ctx, actor);
}
