import * as wishes from '@stagedoor/contract/notification-preferences.ts';
import * as contract from '@stagedoor/contract/notifications.ts';
import type { Server } from '../../kernel/bind.ts';
import type { Context } from '../../kernel/context.ts';
import { keptMs } from '../../kernel/retention.ts';
import { registerNotificationParts } from './archive.ts';
import { registerNotificationClosing } from './closing.ts';
import { sendDigests } from './digest.ts';
import { KINDS } from './kinds.ts';
import { read, viewCount, viewLines } from './lines.ts';
import { changePreference, viewPreferences } from './preferences.ts';
import { forgetFaults } from './push/faults.ts';
import { registerPush } from './push/routes.ts';
import { forgetPushes } from './push/store.ts';
import * as store from './store.ts';
import { registerUnsubscribe } from './unsubscribe.ts';

const KEPT_MS = keptMs('notifications');
const PUSHES_KEPT_MS = keptMs('pushes');
const FORGOTTEN_AT_ONCE = 10_000;

async function forgetOld(ctx: Context): Promise<void> {
  const before = new Date(ctx.clock.now().getTime() - KEPT_MS);
  await forgetPushes(ctx.db, new Date(ctx.clock.now().getTime() - PUSHES_KEPT_MS));
  await forgetFaults(ctx.db, ctx.clock.now());
  while ((await store.forget(ctx.db, before, FORGOTTEN_AT_ONCE)) === FORGOTTEN_AT_ONCE);
}

export async function register({ app, bind, ctx, metrics }: Server): Promise<void> {
  registerNotificationClosing(ctx);
  registerNotificationParts(ctx);
  bind(contract.listNotifications, ({ actor, query }) => viewLines(ctx, actor, query));
  bind(contract.countNotifications, ({ actor }) => viewCount(ctx, actor));
  bind(contract.readNotifications, ({ actor, body }) => read(ctx, actor, body));

  bind(wishes.notificationPreferences, ({ actor }) => viewPreferences(ctx, actor));
  bind(wishes.changeNotificationPreference, ({ actor, body }) => changePreference(ctx, actor, body));
  await registerUnsubscribe(app, ctx);
  registerPush({ bind, ctx, metrics });

  for (const [name, { hears }] of Object.entries(KINDS)) hears(ctx, name);
  ctx.events.tell(
    'notification.told',
    'notifications.live',
    ({ userIds }) => `notifications:${userIds[0]}`,
    ({ payload: { userIds } }) => {
      for (const id of userIds) ctx.realtime.toUser(id, contract.notificationsChanged, {});
    },
  );
  ctx.jobs.schedule('notifications.digest', '*/20 * * * *', () => sendDigests(ctx));
  ctx.jobs.schedule('notifications.forget', '47 2 * * *', () => forgetOld(ctx));
}
