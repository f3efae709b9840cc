/** Account deletion for notifications. Push devices are deleted with the sessions. */
import type { Context } from '../../kernel/context.ts';
import type { Statement } from '../../kernel/db.ts';
import { registerClosing } from '../closing/index.ts';

const AT_ONCE = 1_000;
const TOLD: Statement = {
  name: 'notifications-closing',
  text: 'delete from notifications where (user_id, id) in (select user_id, id from notifications where user_id = $1 limit $2) returning 1 as gone',
};
const WISHES: Statement = {
  name: 'notifications-closing-wishes',
  text: 'delete from notification_preferences where user_id = $1',
};
const DEVICES: Statement = {
  name: 'notifications-closing-devices',
  text: 'delete from push_devices where user_id = $1',
};
const REMOVED: Statement = {
  name: 'notifications-closing-removed',
  text: 'delete from push_devices_removed where user_id = $1',
};
const SETTINGS: Statement = {
  name: 'notifications-closing-settings',
  text: 'delete from push_settings where user_id = $1',
};
const BELLS: Statement = {
  name: 'notifications-closing-bells',
  text: 'delete from bells_off where $1 in (fan_id, creator_id)',
};

const DIGESTS: Statement = {
  name: 'notifications-closing-digests',
  text: 'delete from notification_digests where user_id = $1',
};
const ONLINE: Statement = {
  name: 'notifications-closing-online',
  text: 'delete from creators_online_told where creator_id = $1',
};

export function registerNotificationClosing(ctx: Context): void {
  registerClosing(ctx, 'notifications', {
    erase: async ({ db }, { userId }, signal) => {
      for (const statement of [WISHES, DEVICES, REMOVED, SETTINGS, BELLS, DIGESTS, ONLINE])
        await db.run(statement, [userId]);
      while ((await db.run(TOLD, [userId, AT_ONCE])).length === AT_ONCE) signal?.throwIfAborted();
    },
  });
}
