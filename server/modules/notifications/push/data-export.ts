import type { Context } from '../../../platform/context.ts';
import type { SqlStatement } from '../../../platform/database/db.ts';
import { registerExportPart } from '../../identity/data-export/index.ts';
import { listExportedPreferences } from '../notifications/index.ts';
import * as texts from './texts.ts';

const LIST_SETTINGS: SqlStatement = {
  name: 'push-export-settings',
  text: `select quiet_from as "quietFrom", quiet_until as "quietUntil", time_zone as "timeZone", pushes_per_hour as "pushesPerHour",
      is_discreet as "isDiscreet" from push_settings where user_id = $1`,
};
const LIST_MUTED_CREATORS: SqlStatement = {
  name: 'push-export-muted-creators',
  text: 'select u.username as "mutedCreator" from muted_creators b join users u on u.id = b.creator_id where b.fan_id = $1 order by 1',
};

/** One file contains all notification settings, including those of the module notifications. */
export function registerPushExport(ctx: Context): void {
  registerExportPart(ctx, {
    name: 'notification-preferences',
    title: texts.notificationSettings,
    description: texts.notificationSettingsExportDescription,
    entries: async function* ({ db }, { id }) {
      yield* listExportedPreferences(db, id);
      for (const statement of [LIST_SETTINGS, LIST_MUTED_CREATORS])
        yield* await db.run<Record<string, unknown>>(statement, [id]);
    },
  });
}
