import type { CASE_VIEWS, CaseSummary } from '@stagedoor/contract/admin/cases.ts';
import type { CaseAction, CaseQueue, CaseState } from '@stagedoor/contract/trust/case-kinds.ts';
import { formatCount } from '../../../../platform/dates.ts';
import type { DeadlineState } from '../../../../ui/deadline.tsx';

export type InboxView = (typeof CASE_VIEWS)[number];
export const INBOX_VIEW_LABELS: Readonly<Record<InboxView, string>> = {
  open: 'Open',
  mine: 'Mine',
  unassigned: 'Unassigned',
  waiting: 'Waiting for user',
  closed: 'Closed',
};
export const CASE_QUEUE_LABELS: Readonly<Record<CaseQueue, string>> = {
  reports: 'Reports',
  complaints: 'Complaints',
  appeals: 'Appeals',
  copyright: 'Copyright',
  support: 'Support',
  refunds: 'Refunds',
};
export const CASE_STATE_LABELS: Readonly<Record<CaseState, string>> = {
  open: 'Open',
  waiting: 'Waiting for user',
  closed: 'Closed',
};

/** `shortcut`: the shortcut key. `done`: a short label of the decision. */
export const CASE_ACTION_TEXTS: Readonly<
  Record<CaseAction, { label: string; shortcut: string; button: string; done: string }>
> = {
  dismiss: { label: 'Dismiss', shortcut: 'D', button: 'Dismiss', done: 'Dismissed' },
  close: { label: 'Reply and close', shortcut: 'C', button: 'Reply and close', done: 'Replied and closed' },
  refund: { label: 'Refund', shortcut: 'G', button: 'Refund', done: 'Refunded' },
  warn: { label: 'Warn', shortcut: 'W', button: 'Warn', done: 'Warned' },
  hide: { label: 'Hide', shortcut: 'H', button: 'Hide', done: 'Hidden' },
  remove: { label: 'Remove', shortcut: 'R', button: 'Remove with all copies', done: 'Removed' },
  limitChat: {
    label: 'Restrict messaging',
    shortcut: 'M',
    button: 'Restrict messaging',
    done: 'Messaging restricted',
  },
  limitPosting: { label: 'Restrict posting', shortcut: 'P', button: 'Restrict posting', done: 'Posting restricted' },
  limitPayouts: { label: 'Hold payouts', shortcut: 'Y', button: 'Hold payouts', done: 'Payouts on hold' },
  suspend: { label: 'Suspend', shortcut: 'S', button: 'Suspend', done: 'Suspended' },
  block: { label: 'Permanently ban', shortcut: 'B', button: 'Permanently ban', done: 'Permanently banned' },
  uphold: { label: 'Uphold', shortcut: 'U', button: 'Uphold', done: 'Upheld' },
  overturn: { label: 'Reverse', shortcut: 'O', button: 'Reverse', done: 'Reversed' },
  restore: { label: 'Restore', shortcut: 'T', button: 'Restore', done: 'Restored' },
  staysDown: { label: 'Court action filed', shortcut: 'L', button: 'Keep down', done: 'Kept down' },
};

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/** `now` is an ISO timestamp. */
export function formatDeadline({ dueAt, unit, businessDaysLeft }: CaseSummary['deadline'], now: string): DeadlineState {
  const leftMs = Date.parse(dueAt) - Date.parse(now);
  if (leftMs < 0) {
    const overdueMs = -leftMs;
    const label =
      overdueMs < DAY_MS
        ? `${Math.max(1, Math.floor(overdueMs / HOUR_MS))} h overdue`
        : `${formatCount(Math.floor(overdueMs / DAY_MS), 'day')} overdue`;
    return { tone: 'danger', label };
  }
  if (unit === 'hours') {
    const hours = Math.floor(leftMs / HOUR_MS);
    return { tone: hours < 8 ? 'busy' : 'on', label: hours < 1 ? 'Less than 1 h left' : `${hours} h left` };
  }
  if (businessDaysLeft === 0) return { tone: 'busy', label: 'Today' };
  return { tone: businessDaysLeft < 2 ? 'busy' : 'on', label: formatCount(businessDaysLeft, 'business day') };
}
