/** Deleting a device deletes its deliveries. Those of devices that moved to another account are deleted by age. */
import type { Context } from '../../../platform/context.ts';
import type { SqlStatement } from '../../../platform/database/db.ts';
import { registerDeletionStep } from '../../identity/account-deletion/index.ts';

const DELETE_DEVICES: SqlStatement = {
  name: 'push-deletion-devices',
  text: 'delete from push_devices where user_id = $1',
};
const DELETE_REMOVED_DEVICES: SqlStatement = {
  name: 'push-deletion-removed',
  text: 'delete from removed_push_devices where user_id = $1',
};
const DELETE_SETTINGS: SqlStatement = {
  name: 'push-deletion-settings',
  text: 'delete from push_settings where user_id = $1',
};
const DELETE_MUTED_CREATORS: SqlStatement = {
  name: 'push-deletion-muted-creators',
  text: 'delete from muted_creators where $1 in (fan_id, creator_id)',
};

export function registerPushDeletion(ctx: Context): void {
  registerDeletionStep(ctx, 'push', {
    erase: async ({ db }, { userId }) => {
      for (const statement of [DELETE_DEVICES, DELETE_REMOVED_DEVICES, DELETE_SETTINGS, DELETE_MUTED_CREATORS])
        await db.run(statement, [userId]);
    },
  });
}
