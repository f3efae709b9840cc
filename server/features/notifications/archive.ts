import type { Context } from '../../kernel/context.ts';
import type { Statement } from '../../kernel/db.ts';
import { beforeId } from '../../kernel/offset.ts';
import { inPages, registerArchivePart } from '../archive/index.ts';

type Told = { id: string };
const TOLD: Statement = {
  name: 'notifications-archive',
  text: `select n.id, n.kind, uuid_extract_timestamp(n.id) as at, u.username as by, n.cents / 100.0 as amount, n.note, n.read_at as "readAt"
    from notifications n left join users u on u.id = n.by_id
    where n.user_id = $1 and ${beforeId('n.id', '$2')} order by n.id desc limit $3`,
};
const WISHES: Statement = {
  name: 'notifications-archive-wishes',
  text: `select key, push, email, in_app as "inApp" from notification_preferences where user_id = $1 order by key`,
};

const SETTINGS: Statement = {
  name: 'notifications-archive-settings',
  text: `select quiet_from as "quietFrom", quiet_until as "quietUntil", time_zone as "timeZone", pushes_per_hour as "pushesPerHour",
      is_discreet as "isDiscreet" from push_settings where user_id = $1`,
};
const BELLS: Statement = {
  name: 'notifications-archive-bells',
  text: 'select u.username as "bellOffFor" from bells_off b join users u on u.id = b.creator_id where b.fan_id = $1 order by 1',
};

export function registerNotificationParts(ctx: Context): void {
  registerArchivePart(ctx, {
    name: 'notifications',
    title: 'Notifications',
    lead: 'Your notifications, newest first.',
    entries: ({ db }, { id }) => inPages<Told>((last, size) => db.run<Told>(TOLD, [id, last?.id ?? null, size])),
  });
  registerArchivePart(ctx, {
    name: 'notification-wishes',
    title: 'Notification settings',
    lead: 'Settings you changed from the default.',
    entries: async function* ({ db }, { id }) {
      for (const statement of [WISHES, SETTINGS, BELLS]) yield* await db.run<{ key: string }>(statement, [id]);
    },
  });
}
