/** Sends notifications outside of the app, such as by push. */
import type { DbTransaction } from '../../../platform/database/db.ts';
import { defineHook } from '../../../platform/hooks.ts';
import type { FollowersNotification, NewNotification } from './store.ts';

/** Called in the transaction that inserts the notifications, so that what is notified once is sent once. */
export type NotificationChannel = {
  readonly send: (tx: DbTransaction, kind: string, notifications: readonly NewNotification[]) => Promise<void>;
  readonly sendToFollowers: (
    tx: DbTransaction,
    notification: FollowersNotification,
    fanIds: readonly string[],
  ) => Promise<void>;
};

const notificationChannel = defineHook<NotificationChannel>('notifications.notificationChannel');
export const registerNotificationChannel = notificationChannel.register;
export const getNotificationChannel = notificationChannel.get;
