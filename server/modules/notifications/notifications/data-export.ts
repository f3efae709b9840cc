import type { Context } from '../../../platform/context.ts';
import type { SqlStatement } from '../../../platform/database/db.ts';
import { beforeIdSql } from '../../../platform/database/pagination.ts';
import { iteratePages, registerExportPart } from '../../identity/data-export/index.ts';

type ExportedNotification = { id: string };
const LIST_NOTIFICATIONS: SqlStatement = {
  name: 'notifications-archive',
  text: `select n.id, n.kind, uuid_extract_timestamp(n.id) as at, u.username as by, n.cents / 100.0 as amount, n.note, n.read_at as "readAt"
    from notifications n left join users u on u.id = n.by_id
    where n.user_id = $1 and ${beforeIdSql('n.id', '$2')} order by n.id desc limit $3`,
};
const LIST_PREFERENCES: SqlStatement = {
  name: 'notifications-archive-preferences',
  text: `select key, push, email, in_app as "inApp" from notification_preferences where user_id = $1 order by key`,
};

const LIST_SETTINGS: SqlStatement = {
  name: 'notifications-archive-settings',
  text: `select quiet_from as "quietFrom", quiet_until as "quietUntil", time_zone as "timeZone", pushes_per_hour as "pushesPerHour",
      is_discreet as "isDiscreet" from push_settings where user_id = $1`,
};
const LIST_MUTED_CREATORS: SqlStatement = {
  name: 'notifications-archive-muted-creators',
  text: 'select u.username as "mutedCreator" from muted_creators b join users u on u.id = b.creator_id where b.fan_id = $1 order by 1',
};

export function registerNotificationExport(ctx: Context): void {
  registerExportPart(ctx, {
    name: 'notifications',
    title: 'Notifications',
    description: 'Your notifications, newest first.',
    entries: ({ db }, { id }) =>
      iteratePages<ExportedNotification>((last, size) =>
        db.run<ExportedNotification>(LIST_NOTIFICATIONS, [id, last?.id ?? null, size]),
      ),
  });
  registerExportPart(ctx, {
    name: 'notification-preferences',
    title: 'Notification settings',
    description: 'Settings you changed from the default.',
    entries: async function* ({ db }, { id }) {
      for (const statement of [LIST_PREFERENCES, LIST_SETTINGS, LIST_MUTED_CREATORS])
        yield* await db.run<{ key: string }>(statement, [id]);
    },
  });
}
