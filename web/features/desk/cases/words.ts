import type { CaseAct, CaseQueue, CaseState } from '@stagedoor/contract/case-kinds.ts';
import type { CASE_VIEWS, CaseLine } from '@stagedoor/contract/cases-desk.ts';
import { plural } from '../../../kernel/dates.ts';
import type { ClockState } from '../../../ui/clock.tsx';

export type InboxView = (typeof CASE_VIEWS)[number];
export const VIEW_WORDS: Readonly<Record<InboxView, string>> = {
  open: 'Open',
  mine: 'Yours',
  nobodys: 'Nobody’s',
  waiting: 'Waiting for them',
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
  waiting: 'Waits for them',
  closed: 'Closed',
};

/** `letter`: the shortcut key. `done`: a short label of the decision. */
export const ACT_WORDS: Readonly<Record<CaseAct, { words: string; letter: string; button: string; done: string }>> = {
  dismiss: { words: 'Dismiss', letter: 'D', button: 'Dismiss', done: 'Dismissed' },
  close: { words: 'Answer and close', letter: 'C', button: 'Answer and close', done: 'Answered and closed' },
  refund: { words: 'Give money back', letter: 'G', button: 'Give the money back', done: 'Money given back' },
  warn: { words: 'Warn', letter: 'W', button: 'Warn', done: 'Warned' },
  hide: { words: 'Hide it', letter: 'H', button: 'Hide it', done: 'Hidden' },
  remove: { words: 'Remove it', letter: 'R', button: 'Remove it with all copies', done: 'Removed' },
  limitChat: { words: 'Keep from writing', letter: 'M', button: 'Keep from writing', done: 'Kept from writing' },
  limitPosting: {
    words: 'Keep from publishing',
    letter: 'P',
    button: 'Keep from publishing',
    done: 'Kept from publishing',
  },
  limitPayouts: { words: 'Hold payouts', letter: 'Y', button: 'Hold payouts', done: 'Payouts held' },
  suspend: { words: 'Suspend', letter: 'S', button: 'Suspend', done: 'Suspended' },
  block: { words: 'Block for good', letter: 'B', button: 'Block for good', done: 'Blocked for good' },
  uphold: { words: 'The decision stays', letter: 'U', button: 'Let it stay', done: 'Upheld' },
  overturn: { words: 'Take it back', letter: 'O', button: 'Take it back', done: 'Overturned' },
  restore: { words: 'Put it back', letter: 'T', button: 'Put it back', done: 'Put back' },
  staysDown: { words: 'They went to court', letter: 'L', button: 'It stays down', done: 'Stays down' },
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
        ? `${Math.max(1, Math.floor(over / HOUR_MS))} h over`
        : `${plural(Math.floor(over / DAY_MS), 'day')} over`;
    return { lamp: 'danger', words };
  }
  if (unit === 'hours') {
    const hours = Math.floor(leftMs / HOUR_MS);
    return { lamp: hours < 8 ? 'busy' : 'on', words: hours < 1 ? 'Less than 1 h left' : `${hours} h left` };
  }
  if (businessDaysLeft === 0) return { lamp: 'busy', words: 'Today' };
  return { lamp: businessDaysLeft < 2 ? 'busy' : 'on', words: plural(businessDaysLeft, 'business day') };
}
