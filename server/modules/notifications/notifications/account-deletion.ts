import type { Context } from '../../../platform/context.ts';
import type { SqlStatement } from '../../../platform/database/db.ts';
import { registerDeletionStep } from '../../identity/account-deletion/index.ts';

const BATCH_SIZE = 1_000;
const DELETE_NOTIFICATIONS: SqlStatement = {
  name: 'notifications-deletion',
  text: 'delete from notifications where (user_id, id) in (select user_id, id from notifications where user_id = $1 limit $2) returning 1 as gone',
};
const DELETE_PREFERENCES: SqlStatement = {
  name: 'notifications-deletion-preferences',
  text: 'delete from notification_preferences where user_id = $1',
};
const DELETE_DIGESTS: SqlStatement = {
  name: 'notifications-deletion-digests',
  text: 'delete from notification_digests where user_id = $1',
};
const DELETE_ONLINE: SqlStatement = {
  name: 'notifications-deletion-online',
  text: 'delete from creator_online_notifications where creator_id = $1',
};

export function registerNotificationDeletion(ctx: Context): void {
  registerDeletionStep(ctx, 'notifications', {
    erase: async ({ db }, { userId }, signal) => {
      for (const statement of [DELETE_PREFERENCES, DELETE_DIGESTS, DELETE_ONLINE]) await db.run(statement, [userId]);
      while ((await db.run(DELETE_NOTIFICATIONS, [userId, BATCH_SIZE])).length === BATCH_SIZE) signal?.throwIfAborted();
    },
  });
}
