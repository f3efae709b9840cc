/** Notification preferences of users (row I2). Only changed ones are stored. */
import { AppError, invalid } from '@stagedoor/contract/atoms/errors.ts';
import type { AnswerOf, BodyOf } from '@stagedoor/contract/atoms/route.ts';
import {
  CREATOR_PREFERENCES,
  type changeNotificationPreference,
  DEFAULT_WAYS,
  FAN_PREFERENCES,
  type notificationPreferences,
  PREFERENCES,
  type PreferenceKey,
  type Ways,
} from '@stagedoor/contract/notification-preferences.ts';
import type { Context } from '../../kernel/context.ts';
import type { Executor, Statement } from '../../kernel/db.ts';
import type { Actor } from '../../kernel/session.ts';

const KEYS = { customer: FAN_PREFERENCES, creator: CREATOR_PREFERENCES, operator: undefined } as const;

/** Throws FORBIDDEN for operators, who have no preferences. */
function keysOf({ type }: Actor): readonly PreferenceKey[] {
  const keys = KEYS[type];
  if (!keys) throw new AppError('FORBIDDEN');
  return keys;
}

const FIND: Statement = {
  name: 'notification-preferences',
  text: 'select key, push, email, in_app as "inApp" from notification_preferences where user_id = $1',
};
const WRITE: Statement = {
  name: 'notification-preference',
  text: `insert into notification_preferences as p (user_id, key, push, email, in_app)
      values ($1, $2, coalesce($3::boolean, $6), coalesce($4::boolean, $7), coalesce($5::boolean, $8))
    on conflict (user_id, key) do update set push = coalesce($3, p.push), email = coalesce($4, p.email), in_app = coalesce($5, p.in_app)`,
};

async function read(db: Executor, userId: string, keys: readonly PreferenceKey[]) {
  const stored = new Map((await db.run<Ways & { key: string }>(FIND, [userId])).map(({ key, ...ways }) => [key, ways]));
  return { data: keys.map((key) => ({ key, ...(stored.get(key) ?? DEFAULT_WAYS) })) };
}

export function viewPreferences(ctx: Context, actor: Actor): Promise<AnswerOf<typeof notificationPreferences>> {
  const keys = keysOf(actor);
  return read(ctx.db, actor.userId, keys);
}

type Wish = BodyOf<typeof changeNotificationPreference>;

const waysOf = (wish: NonNullable<Wish[PreferenceKey]>): { [W in keyof Ways]?: Ways[W] | undefined } => {
  if (typeof wish !== 'boolean') return wish;
  return wish ? { push: true, inApp: true } : { push: false, email: false, inApp: false };
};

/** Changes the one preference that was sent. Throws VALIDATION for a key of the other role. */
export async function changePreference(
  ctx: Context,
  actor: Actor,
  wishes: Wish,
): Promise<AnswerOf<typeof changeNotificationPreference>> {
  const keys = keysOf(actor);
  for (const key of PREFERENCES) {
    const wish = wishes[key];
    if (wish === undefined) continue;
    if (!keys.includes(key)) throw invalid(key, 'This is not among your preferences');
    const { push = null, email = null, inApp = null } = waysOf(wish);
    const { push: byPush, email: byMail, inApp: inList } = DEFAULT_WAYS;
    await ctx.db.run(WRITE, [actor.userId, key, push, email, inApp, byPush, byMail, inList]);
  }
  return read(ctx.db, actor.userId, keys);
}
