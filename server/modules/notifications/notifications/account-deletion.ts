/** Account deletion for notifications. Push devices are deleted with the sessions. */
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
const DELETE_DEVICES: SqlStatement = {
  name: 'notifications-deletion-devices',
  text: 'delete from push_devices where user_id = $1',
};
const DELETE_REMOVED_DEVICES: SqlStatement = {
  name: 'notifications-deletion-removed',
  text: 'delete from removed_push_devices where user_id = $1',
};
const DELETE_SETTINGS: SqlStatement = {
  name: 'notifications-deletion-settings',
  text: 'delete from push_settings where user_id = $1',
};
const DELETE_MUTED_CREATORS: SqlStatement = {
  name: 'notifications-deletion-muted-creators',
  text: 'delete from muted_creators where $1 in (fan_id, creator_id)',
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
      for (const statement of [
        DELETE_PREFERENCES,
        DELETE_DEVICES,
        DELETE_REMOVED_DEVICES,
        DELETE_SETTINGS,
        DELETE_MUTED_CREATORS,
        DELETE_DIGESTS,
        DELETE_ONLINE,
      ])
        await db.run(statement, [userId]);
      while ((await db.run(DELETE_NOTIFICATIONS, [userId, BATCH_SIZE])).length === BATCH_SIZE) signal?.throwIfAborted();
    },
  });
}
