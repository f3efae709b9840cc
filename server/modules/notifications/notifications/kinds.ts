/**
 * All kinds of notifications: their events and recipients, whether a day is grouped, their text and link. A new kind is
 * an entry in `kinds/`.
 */
import { COMMON_KINDS } from './kinds/common.ts';
import { CREATOR_KINDS } from './kinds/creators.ts';
import { FAN_KINDS } from './kinds/fans.ts';
import type { NotificationKind } from './kinds/kind.ts';
import { SUBSCRIPTION_KINDS } from './kinds/subscriptions.ts';

export const NOTIFICATION_KINDS: Readonly<Record<string, NotificationKind>> = {
  ...FAN_KINDS,
  ...CREATOR_KINDS,
  ...SUBSCRIPTION_KINDS,
  ...COMMON_KINDS,
};
export const isNotificationKind = (kind: string): boolean => kind in NOTIFICATION_KINDS;
export const PAID_KINDS = Object.keys(NOTIFICATION_KINDS).filter((kind) => NOTIFICATION_KINDS[kind]?.isPaid);
export const GROUPED_KINDS = Object.keys(NOTIFICATION_KINDS).filter((kind) => NOTIFICATION_KINDS[kind]?.isGrouped);
