/** What a kind of thing that people are told is made of, and what several of their words need. */
import { PATHS, profilePath } from '@stagedoor/contract/addresses.ts';
import { CASE_PATHS } from '@stagedoor/contract/case-addresses.ts';
import type { NotificationLine } from '@stagedoor/contract/notifications.ts';
import type { EventPayload } from '../../../kernel/events.ts';
import type { Person } from '../../accounts/index.ts';
import * as events from '../hearing.ts';

/** What a line's words are made of. */
export type Facts = {
  /** Things in the line, and different people. */
  count: number;
  byCount: number;
  /** The latest who did it, where somebody did. */
  by: Person | undefined;
  /** Of the newest: its subject, the name of the post that it is, the word kept with it. */
  subjectId: string | null;
  title: string | undefined;
  note: string;
  /** Of all together. */
  sum: string;
  /** Whose list it is. */
  side: 'fan' | 'creator';
};

export type Kind = {
  readonly hears: events.Hearing;
  readonly icon: NotificationLine['icon'];
  /** Those of a day are one line. */
  readonly isGathered?: boolean;
  /** Whoever did it begins the line. */
  readonly isNamed?: boolean;
  /** Of what was paid for: its line stands wherever whoever it was paid to is hidden, too. */
  readonly isPaid?: boolean;
  readonly words: (facts: Facts) => { text: string; detail?: string; href: string };
};

export const nameOf = ({ by }: Facts) => by?.name ?? 'a creator';
/** “Moon jar”, or what stands for it. */
export const quoted = (title: string | undefined, otherwise: string) => (title ? `“${title}”` : otherwise);
export const pageOf = ({ by, byCount }: Facts, otherwise: string) =>
  by && byCount === 1 ? profilePath(by.username) : otherwise;
export const settingsOf = ({ side }: Facts) => (side === 'creator' ? PATHS.creatorSettings : PATHS.fanProfile);
export const helpOf = ({ side }: Facts) => (side === 'creator' ? CASE_PATHS.creatorHelpdesk : CASE_PATHS.fanHelpdesk);
export const payoutsOf = ({ side }: Facts) => (side === 'creator' ? PATHS.creatorEarning : PATHS.fanReferral);

export const isNewSale = (_ctx: unknown, { at }: EventPayload<'sale.made'>, eventId: string) =>
  events.isNews(eventId, at);
