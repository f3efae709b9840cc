import * as notificationPreferences from '@stagedoor/contract/notifications/notification-preferences.ts';
import * as contract from '@stagedoor/contract/notifications/notifications.ts';
import type { Context } from '../../../platform/context.ts';
import type { ModuleHost } from '../../../platform/http/routing.ts';
import { getRetentionMs } from '../../../platform/retention.ts';
import { registerNotificationDeletion } from './account-deletion.ts';
import { registerNotificationExport } from './data-export.ts';
import { sendDigests } from './digest.ts';
import { NOTIFICATION_KINDS } from './kinds.ts';
import { markGroupsRead, viewGroups, viewUnreadCount } from './list.ts';
import { updatePreference, viewPreferences } from './preferences.ts';
import * as store from './store.ts';
import { registerUnsubscribe } from './unsubscribe.ts';

const RETENTION_MS = getRetentionMs('notifications');
const DELETE_BATCH_SIZE = 10_000;

async function purgeExpired(ctx: Context): Promise<void> {
  const before = new Date(ctx.clock.now().getTime() - RETENTION_MS);
  while ((await store.deleteOld(ctx.db, before, DELETE_BATCH_SIZE)) === DELETE_BATCH_SIZE);
}

export async function register({ app, bind, ctx }: ModuleHost): Promise<void> {
  registerNotificationDeletion(ctx);
  registerNotificationExport(ctx);
  bind(contract.listNotifications, ({ actor, query }) => viewGroups(ctx, actor, query));
  bind(contract.countUnreadNotifications, ({ actor }) => viewUnreadCount(ctx, actor));
  bind(contract.markNotificationsRead, ({ actor, body }) => markGroupsRead(ctx, actor, body));

  bind(notificationPreferences.getNotificationPreferences, ({ actor }) => viewPreferences(ctx, actor));
  bind(notificationPreferences.updateNotificationPreference, ({ actor, body }) => updatePreference(ctx, actor, body));
  await registerUnsubscribe(app, ctx);

  for (const [name, { subscribe }] of Object.entries(NOTIFICATION_KINDS)) subscribe(ctx, name);
  ctx.events.addBroadcastHandler(
    'notification.created',
    'notifications.emitChanges',
    ({ userIds }) => `notifications:${userIds[0]}`,
    ({ payload: { userIds } }) => {
      for (const id of userIds) ctx.realtime.emitToUser(id, contract.notificationsChanged, {});
    },
  );
  ctx.jobs.schedule('notifications.digest', '*/20 * * * *', () => sendDigests(ctx));
  ctx.jobs.schedule('notifications.purgeExpired', '47 2 * * *', () => purgeExpired(ctx));
}
