import type { CaseAct, CaseQueue, CaseState } from '@stagedoor/contract/case-kinds.ts';
import type { CASE_VIEWS, CaseLine } from '@stagedoor/contract/cases-desk.ts';
import { plural } from '../../../kernel/dates.ts';
import type { ClockState } from '../../../ui/clock.tsx';

export type InboxView = (typeof CASE_VIEWS)[number];
export const VIEW_WORDS: Readonly<Record<InboxView, string>> = {
  open: 'Open',
  mine: 'Mine',
  nobodys: 'Unassigned',
  waiting: 'Waiting for user',
  closed: 'Closed',
};
export const QUEUE_WORDS: Readonly<Record<CaseQueue, string>> = {
  reports: 'Reports',
  complaints: 'Complaints',
  appeals: 'Appeals',
  copyright: 'Copyright',
  support: 'Support',
  refunds: 'Refunds',
};
export const STATE_WORDS: Readonly<Record<CaseState, string>> = {
  open: 'Open',
  waiting: 'Waiting for user',
  closed: 'Closed',
};

/** `letter`: the shortcut key. `done`: a short label of the decision. */
export const ACT_WORDS: Readonly<Record<CaseAct, { words: string; letter: string; button: string; done: string }>> = {
  dismiss: { words: 'Dismiss', letter: 'D', button: 'Dismiss', done: 'Dismissed' },
  close: { words: 'Reply and close', letter: 'C', button: 'Reply and close', done: 'Replied and closed' },
  refund: { words: 'Refund', letter: 'G', button: 'Refund', done: 'Refunded' },
  warn: { words: 'Warn', letter: 'W', button: 'Warn', done: 'Warned' },
  hide: { words: 'Hide', letter: 'H', button: 'Hide', done: 'Hidden' },
  remove: { words: 'Remove', letter: 'R', button: 'Remove with all copies', done: 'Removed' },
  limitChat: {
    words: 'Restrict messaging',
    letter: 'M',
    button: 'Restrict messaging',
    done: 'Messaging restricted',
  },
  limitPosting: { words: 'Restrict posting', letter: 'P', button: 'Restrict posting', done: 'Posting restricted' },
  limitPayouts: { words: 'Hold payouts', letter: 'Y', button: 'Hold payouts', done: 'Payouts on hold' },
  suspend: { words: 'Suspend', letter: 'S', button: 'Suspend', done: 'Suspended' },
  block: { words: 'Permanently ban', letter: 'B', button: 'Permanently ban', done: 'Permanently banned' },
  uphold: { words: 'Uphold', letter: 'U', button: 'Uphold', done: 'Upheld' },
  overturn: { words: 'Reverse', letter: 'O', button: 'Reverse', done: 'Reversed' },
  restore: { words: 'Restore', letter: 'T', button: 'Restore', done: 'Restored' },
  staysDown: { words: 'Court action filed', letter: 'L', button: 'Keep down', done: 'Kept down' },
};

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/** `now` is an ISO timestamp. */
export function clockOf({ dueAt, unit, businessDaysLeft }: CaseLine['clock'], now: string): ClockState {
  const leftMs = Date.parse(dueAt) - Date.parse(now);
  if (leftMs < 0) {
    const over = -leftMs;
    const words =
      over < DAY_MS
        ? `${Math.max(1, Math.floor(over / HOUR_MS))} h overdue`
        : `${plural(Math.floor(over / DAY_MS), 'day')} overdue`;
    return { lamp: 'danger', words };
  }
  if (unit === 'hours') {
    const hours = Math.floor(leftMs / HOUR_MS);
    return { lamp: hours < 8 ? 'busy' : 'on', words: hours < 1 ? 'Less than 1 h left' : `${hours} h left` };
  }
  if (businessDaysLeft === 0) return { lamp: 'busy', words: 'Today' };
  return { lamp: businessDaysLeft < 2 ? 'busy' : 'on', words: plural(businessDaysLeft, 'business day') };
}
