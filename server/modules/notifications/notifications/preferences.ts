/** Notification preferences of users (row I2). Only changed ones are stored. */

import {
  CREATOR_PREFERENCES,
  DEFAULT_CHANNELS,
  FAN_PREFERENCES,
  type getNotificationPreferences,
  type NotificationChannels,
  PREFERENCE_KEYS,
  type PreferenceKey,
  type updateNotificationPreference,
} from '@stagedoor/contract/notifications/notification-preferences.ts';
import { AppError, createFieldError } from '@stagedoor/contract/shared/errors.ts';
import type { BodyOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import type { Executor, SqlStatement } from '../../../platform/database/db.ts';
import type { Actor } from '../../../platform/security/session.ts';
import * as texts from './texts.ts';

const KEYS_BY_TYPE = { customer: FAN_PREFERENCES, creator: CREATOR_PREFERENCES, operator: undefined } as const;

/** Throws FORBIDDEN for operators, who have no preferences. */
function getPreferenceKeys({ type }: Actor): readonly PreferenceKey[] {
  const keys = KEYS_BY_TYPE[type];
  if (!keys) throw new AppError('FORBIDDEN');
  return keys;
}

const FIND: SqlStatement = {
  name: 'notification-preferences',
  text: 'select key, push, email, in_app as "inApp" from notification_preferences where user_id = $1',
};
const WRITE: SqlStatement = {
  name: 'notification-preference',
  text: `insert into notification_preferences as p (user_id, key, push, email, in_app)
      values ($1, $2, coalesce($3::boolean, $6), coalesce($4::boolean, $7), coalesce($5::boolean, $8))
    on conflict (user_id, key) do update set push = coalesce($3, p.push), email = coalesce($4, p.email), in_app = coalesce($5, p.in_app)`,
};

async function listPreferences(db: Executor, userId: string, keys: readonly PreferenceKey[]) {
  const stored = new Map(
    (await db.run<NotificationChannels & { key: string }>(FIND, [userId])).map(({ key, ...channels }) => [
      key,
      channels,
    ]),
  );
  return { data: keys.map((key) => ({ key, ...(stored.get(key) ?? DEFAULT_CHANNELS) })) };
}

export function viewPreferences(
  ctx: Context,
  actor: Actor,
): Promise<ResponseInputOf<typeof getNotificationPreferences>> {
  const keys = getPreferenceKeys(actor);
  return listPreferences(ctx.db, actor.userId, keys);
}

type PreferenceUpdate = BodyOf<typeof updateNotificationPreference>;

const toChannels = (
  change: NonNullable<PreferenceUpdate[PreferenceKey]>,
): { [W in keyof NotificationChannels]?: NotificationChannels[W] | undefined } => {
  if (typeof change !== 'boolean') return change;
  return change ? { push: true, inApp: true } : { push: false, email: false, inApp: false };
};

/** Changes the one preference that was sent. Throws VALIDATION for a key of the other role. */
export async function updatePreference(
  ctx: Context,
  actor: Actor,
  update: PreferenceUpdate,
): Promise<ResponseInputOf<typeof updateNotificationPreference>> {
  const keys = getPreferenceKeys(actor);
  for (const key of PREFERENCE_KEYS) {
    const change = update[key];
    if (change === undefined) continue;
    if (!keys.includes(key)) throw createFieldError(key, texts.unavailablePreferenceError);
    const { push = null, email = null, inApp = null } = toChannels(change);
    const { push: defaultPush, email: defaultEmail, inApp: defaultInApp } = DEFAULT_CHANNELS;
    await ctx.db.run(WRITE, [actor.userId, key, push, email, inApp, defaultPush, defaultEmail, defaultInApp]);
  }
  return listPreferences(ctx.db, actor.userId, keys);
}
