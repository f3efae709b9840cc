import type { Context } from '../../../platform/context.ts';
import type { Executor, SqlStatement } from '../../../platform/database/db.ts';
import { beforeIdSql } from '../../../platform/database/pagination.ts';
import { type ExportEntry, iteratePages, registerExportPart } from '../../identity/data-export/index.ts';
import * as texts from './texts.ts';

type ExportedNotification = { id: string };
const LIST_NOTIFICATIONS: SqlStatement = {
  name: 'notifications-export',
  text: `select n.id, n.kind, uuid_extract_timestamp(n.id) as at, u.username as by, n.cents / 100.0 as amount, n.note, n.read_at as "readAt"
    from notifications n left join users u on u.id = n.by_id
    where n.user_id = $1 and ${beforeIdSql('n.id', '$2')} order by n.id desc limit $3`,
};
const LIST_PREFERENCES: SqlStatement = {
  name: 'notifications-export-preferences',
  text: `select key, push, email, in_app as "inApp" from notification_preferences where user_id = $1 order by key`,
};

export function registerNotificationExport(ctx: Context): void {
  registerExportPart(ctx, {
    name: 'notifications',
    title: 'Notifications',
    description: texts.notificationsExportHint,
    entries: ({ db }, { id }) =>
      iteratePages<ExportedNotification>((last, size) =>
        db.run<ExportedNotification>(LIST_NOTIFICATIONS, [id, last?.id ?? null, size]),
      ),
  });
}

/** Yields the preferences that the user changed. */
export async function* listExportedPreferences(db: Executor, userId: string): AsyncGenerator<ExportEntry> {
  yield* await db.run<{ key: string }>(LIST_PREFERENCES, [userId]);
}
