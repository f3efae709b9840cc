import { PATHS, profilePath } from '@stagedoor/contract/addresses.ts';
import { CASE_PATHS } from '@stagedoor/contract/case-addresses.ts';
import type { NotificationLine } from '@stagedoor/contract/notifications.ts';
import type { EventPayload } from '../../../kernel/events.ts';
import type { Person } from '../../accounts/index.ts';
import * as events from '../hearing.ts';

export type Facts = {
  /** The number of notifications in the entry, and of different users who caused them. */
  count: number;
  byCount: number;
  by: Person | undefined;
  /** From the newest notification: its subject, the title if that is a post, and the stored note. */
  subjectId: string | null;
  title: string | undefined;
  note: string;
  sum: string;
  side: 'fan' | 'creator';
};

export type Kind = {
  readonly hears: events.Hearing;
  readonly icon: NotificationLine['icon'];
  /** Notifications of a day are grouped into one entry. */
  readonly isGathered?: boolean;
  /** The entry begins with the users who caused it. */
  readonly isNamed?: boolean;
  /** The kind concerns a purchase. It stays listed where the paid creator is geo-blocked. */
  readonly isPaid?: boolean;
  readonly words: (facts: Facts) => { text: string; detail?: string; href: string };
};

export const nameOf = ({ by }: Facts) => by?.name ?? 'a creator';
export const quoted = (title: string | undefined, otherwise: string) => (title ? `“${title}”` : otherwise);
export const pageOf = ({ by, byCount }: Facts, otherwise: string) =>
  by && byCount === 1 ? profilePath(by.username) : otherwise;
export const settingsOf = ({ side }: Facts) => (side === 'creator' ? PATHS.creatorSettings : PATHS.fanProfile);
export const helpOf = ({ side }: Facts) => (side === 'creator' ? CASE_PATHS.creatorHelpdesk : CASE_PATHS.fanHelpdesk);
export const payoutsOf = ({ side }: Facts) => (side === 'creator' ? PATHS.creatorEarning : PATHS.fanReferral);

export const isNewSale = (_ctx: unknown, { at }: EventPayload<'sale.made'>, eventId: string) =>
  events.isNews(eventId, at);
