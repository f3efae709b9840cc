import { AppError, invalid } from '@stagedoor/contract/atoms/errors.ts';
import { userId } from '@stagedoor/contract/atoms/ids.ts';
import type { AnswerOf, BodyOf } from '@stagedoor/contract/atoms/route.ts';
import {
  type changePushSettings,
  DEFAULT_PUSH_SETTINGS,
  type listBells,
  type PushSettings,
  SAME_TIME,
} from '@stagedoor/contract/push.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../kernel/context.ts';
import type { Executor, Statement } from '../../../kernel/db.ts';
import { requireSeenHere } from '../../../kernel/places.ts';
import type { Actor } from '../../../kernel/session.ts';
import { areApart } from '../../blocks/index.ts';
import { findCreator } from '../../follows/index.ts';

const FIND: Statement = {
  name: 'push-settings',
  text: `select quiet_from as "quietFrom", quiet_until as "quietUntil", time_zone as "timeZone",
    pushes_per_hour as "pushesPerHour", is_discreet as "isDiscreet" from push_settings where user_id = $1`,
};
const WRITE: Statement = {
  name: 'push-settings-write',
  text: `insert into push_settings (user_id, quiet_from, quiet_until, time_zone, pushes_per_hour, is_discreet) values ($1, $2, $3, $4, $5, $6)
    on conflict (user_id) do update set quiet_from = excluded.quiet_from, quiet_until = excluded.quiet_until,
      time_zone = excluded.time_zone, pushes_per_hour = excluded.pushes_per_hour, is_discreet = excluded.is_discreet`,
};
const BELLS: Statement = {
  name: 'push-bells',
  text: 'select creator_id as id from bells_off where fan_id = $1 order by creator_id',
};
const BELL_OFF: Statement = {
  name: 'push-bell-off',
  text: 'insert into bells_off (fan_id, creator_id) values ($1, $2) on conflict do nothing',
};
const BELL_ON: Statement = {
  name: 'push-bell-on',
  text: 'delete from bells_off where fan_id = $1 and creator_id = $2',
};

export async function viewSettings(db: Executor, id: string): Promise<PushSettings> {
  return (await db.run<PushSettings>(FIND, [id]))[0] ?? DEFAULT_PUSH_SETTINGS;
}

/** Changes the given settings. Throws VALIDATION on `quietUntil` when quiet hours would end when they begin. */
export async function changeSettings(
  ctx: Context,
  actor: Actor,
  wish: BodyOf<typeof changePushSettings>,
): Promise<PushSettings> {
  return ctx.db.transaction(async (tx) => {
    const before = await viewSettings(tx, actor.userId);
    const {
      quietFrom = before.quietFrom,
      quietUntil = before.quietUntil,
      timeZone = before.timeZone,
      pushesPerHour = before.pushesPerHour,
      isDiscreet = before.isDiscreet,
    } = wish;
    if (quietFrom !== null && quietFrom === quietUntil) throw invalid('quietUntil', SAME_TIME);
    await tx.run(WRITE, [actor.userId, quietFrom, quietUntil, timeZone, pushesPerHour, isDiscreet]);
    return { quietFrom, quietUntil, timeZone, pushesPerHour, isDiscreet };
  });
}

const timeIn = (timeZone: string, at: Date): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, hourCycle: 'h23', hour: '2-digit', minute: '2-digit' }).format(at);

export function isQuiet(
  { quietFrom, quietUntil, timeZone }: Pick<PushSettings, 'quietFrom' | 'quietUntil' | 'timeZone'>,
  at: Date,
): boolean {
  if (quietFrom === null || quietUntil === null || quietFrom === quietUntil) return false;
  const time = timeIn(timeZone, at);
  return quietFrom < quietUntil ? quietFrom <= time && time < quietUntil : quietFrom <= time || time < quietUntil;
}

const DAY_MINUTES = 24 * 60;
const MINUTE_MS = 60_000;
const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

export function quietEnd(settings: Pick<PushSettings, 'quietFrom' | 'quietUntil' | 'timeZone'>, at: Date): Date {
  const until = minutesOf(settings.quietUntil ?? '00:00');
  let end = new Date(Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS);
  // Repeated because clocks may go back meanwhile, so that the end is an hour later.
  for (let tries = 0; tries < 3 && isQuiet(settings, end); tries += 1) {
    const leftMinutes = (until - minutesOf(timeIn(settings.timeZone, end)) + DAY_MINUTES) % DAY_MINUTES;
    end = new Date(end.getTime() + (leftMinutes || DAY_MINUTES) * MINUTE_MS);
  }
  return end;
}

export async function viewBells(ctx: Context, actor: Actor): Promise<AnswerOf<typeof listBells>> {
  const off = await ctx.db.run<{ id: string }>(BELLS, [actor.userId]);
  return { creatorIds: off.map(({ id }) => z.parse(userId, id)) };
}

/** Throws NOT_FOUND for users who are not creators and for a blocked pair. */
export async function changeBell(
  ctx: Context,
  actor: Actor,
  creatorId: string,
  isOn: boolean,
): Promise<AnswerOf<typeof listBells>> {
  if (isOn) requireSeenHere(creatorId);
  if (!(await findCreator(ctx.db, creatorId)) || (await areApart(ctx.db, actor.userId, creatorId)))
    throw new AppError('NOT_FOUND');
  await ctx.db.run(isOn ? BELL_ON : BELL_OFF, [actor.userId, creatorId]);
  return viewBells(ctx, actor);
}
