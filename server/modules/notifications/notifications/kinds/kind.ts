import type { NotificationGroup } from '@stagedoor/contract/notifications/notifications.ts';
import { PATHS, profilePath } from '@stagedoor/contract/shared/addresses.ts';
import { CASE_PATHS } from '@stagedoor/contract/trust/case-addresses.ts';
import type { EventPayload } from '../../../../platform/events/event-types.ts';
import type { UserSummary } from '../../../identity/accounts/index.ts';
import * as events from '../subscribe.ts';

export type NotificationDetails = {
  /** The number of notifications in the entry, and of different users who caused them. */
  count: number;
  byCount: number;
  actor: UserSummary | undefined;
  /** From the newest notification: its subject, the title if that is a post, and the stored note. */
  subjectId: string | null;
  title: string | undefined;
  note: string;
  sum: string;
  side: 'fan' | 'creator';
};

export type NotificationKind = {
  readonly subscribe: events.EventSubscription;
  readonly icon: NotificationGroup['icon'];
  /** Notifications of a day are grouped into one entry. */
  readonly isGrouped?: boolean;
  /** The entry begins with the users who caused it. */
  readonly hasUserPrefix?: boolean;
  /** The kind concerns a purchase. It stays listed where the paid creator is geo-blocked. */
  readonly isPaid?: boolean;
  readonly format: (details: NotificationDetails) => { text: string; detail?: string; href: string };
};

export const getActorName = ({ actor }: NotificationDetails) => actor?.name ?? 'a creator';
export const quoteTitle = (title: string | undefined, fallback: string) => (title ? `“${title}”` : fallback);
export const getActorPath = ({ actor, byCount }: NotificationDetails, fallback: string) =>
  actor && byCount === 1 ? profilePath(actor.username) : fallback;
export const getSettingsPath = ({ side }: NotificationDetails) =>
  side === 'creator' ? PATHS.creatorSettings : PATHS.fanProfile;
export const getHelpdeskPath = ({ side }: NotificationDetails) =>
  side === 'creator' ? CASE_PATHS.creatorHelpdesk : CASE_PATHS.fanHelpdesk;
export const getPayoutsPath = ({ side }: NotificationDetails) =>
  side === 'creator' ? PATHS.creatorEarning : PATHS.fanReferral;

export const isRecentSale = (_ctx: unknown, { at }: EventPayload<'sale.made'>, eventId: string) =>
  events.isRecent(eventId, at);
