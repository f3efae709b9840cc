/** Decides which users are notified of which events. */
import './events.ts';
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export { type NotificationChannel, registerNotificationChannel } from './channel.ts';
export { listExportedPreferences } from './data-export.ts';
export { isNotificationKind, PAID_KINDS } from './kinds.ts';
export { countUnreadGroups, markReadUpTo, presentNotification } from './list.ts';
export type { FollowersNotification, NewNotification } from './store.ts';
export { blockedEitherWaySql, isPostShownSql } from './visibility-sql.ts';

export const featureModule = { ...manifest, register };
