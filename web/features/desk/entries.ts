/** The only list of admin pages, with their navigation groups and the labels of waiting work. */

import { PATHS } from '@stagedoor/contract/addresses.ts';
import { CASE_PATHS } from '@stagedoor/contract/case-addresses.ts';
import { operatorDesk, type WaitingKind } from '@stagedoor/contract/desk.ts';
import { callDeskPath, DESK_PATHS, personDeskPath, postDeskPath } from '@stagedoor/contract/desk-addresses.ts';
import { type OperatorCall, type OperatorRole, operatorMayCall } from '@stagedoor/contract/operator-rights.ts';
import { whileAttended } from '../../kernel/operator.ts';
import { apiQuery } from '../../kernel/query.ts';

type DeskEntry = {
  readonly href: string;
  readonly label: string;
  /** The API call that the page reads. Operators who may not call it do not see the page. */
  readonly reads: OperatorCall;
  readonly counts?: readonly WaitingKind[];
};

export const DESK_GROUPS: readonly { readonly head?: string; readonly entries: readonly DeskEntry[] }[] = [
  {
    entries: [
      { href: PATHS.admin, label: 'Work queue', reads: 'GET /admin/desk' },
      { href: DESK_PATHS.adminSearch, label: 'Search', reads: 'GET /admin/search' },
    ],
  },
  {
    head: 'Trust & safety',
    entries: [
      {
        href: CASE_PATHS.adminCases,
        label: 'Cases',
        reads: 'GET /admin/cases',
        counts: ['cases', 'refunds', 'copyright'],
      },
      {
        href: DESK_PATHS.adminVerifications,
        label: 'Verification',
        reads: 'GET /admin/verifications',
        counts: ['verifications'],
      },
      { href: DESK_PATHS.adminNewcomers, label: 'New creators', reads: 'GET /admin/newcomers' },
      { href: DESK_PATHS.adminCalls, label: 'Calls', reads: 'GET /admin/calls', counts: ['calls'] },
    ],
  },
  {
    head: 'Money',
    entries: [
      {
        href: DESK_PATHS.adminPayouts,
        label: 'Payouts',
        reads: 'GET /admin/payouts',
        counts: ['payoutsToApprove', 'payoutsToSend', 'payoutsToConfirm', 'payoutBatches', 'payoutNotices'],
      },
      {
        href: DESK_PATHS.adminToConfirm,
        label: 'Needs second approval',
        reads: 'GET /admin/money-acts',
        counts: ['moneyActs'],
      },
      {
        href: DESK_PATHS.adminDebtors,
        label: 'Outstanding balances',
        reads: 'GET /admin/debtors',
        counts: ['debtors'],
      },
      {
        href: DESK_PATHS.adminProcessorEvents,
        label: 'Payment events',
        reads: 'GET /admin/processor-events',
        counts: ['processorEvents'],
      },
      {
        href: DESK_PATHS.adminDifferences,
        label: 'Discrepancies',
        reads: 'GET /admin/differences',
        counts: ['differences'],
      },
      { href: DESK_PATHS.adminAlarms, label: 'Alerts', reads: 'GET /admin/alarms', counts: ['alarms'] },
      { href: DESK_PATHS.adminLedger, label: 'Ledger', reads: 'GET /admin/ledger' },
    ],
  },
  {
    head: 'Platform',
    entries: [
      { href: DESK_PATHS.adminState, label: 'System status', reads: 'GET /admin/state' },
      { href: DESK_PATHS.adminPush, label: 'Push', reads: 'GET /admin/push-faults', counts: ['pushServices'] },
      { href: DESK_PATHS.adminSwitches, label: 'Kill switches', reads: 'GET /admin/switches' },
      { href: DESK_PATHS.adminAnnouncements, label: 'Announcements', reads: 'GET /admin/announcements' },
      { href: DESK_PATHS.adminAudit, label: 'Audit log', reads: 'GET /admin/audit' },
      { href: DESK_PATHS.adminTeam, label: 'Staff', reads: 'GET /admin/team', counts: ['teamChanges'] },
      {
        href: DESK_PATHS.adminSettings,
        label: 'Settings',
        reads: 'GET /admin/payout-settings',
        counts: ['wantedSettings', 'missingFacts'],
      },
    ],
  },
];
const DESK_ENTRIES = DESK_GROUPS.flatMap(({ entries }) => entries);

export const WAITING: Readonly<Record<WaitingKind, { href: string; words: string }>> = {
  alarms: { href: DESK_PATHS.adminAlarms, words: 'Ledger alerts (payouts stopped)' },
  cases: { href: CASE_PATHS.adminCases, words: 'Cases: reports, complaints, appeals and support requests' },
  refunds: { href: `${CASE_PATHS.adminCases}?queue=refunds`, words: 'Refund requests' },
  copyright: {
    href: `${CASE_PATHS.adminCases}?queue=copyright`,
    words: 'Copyright notices and counter-notices due',
  },
  verifications: { href: DESK_PATHS.adminVerifications, words: 'Verifications to review' },
  payoutsToApprove: { href: DESK_PATHS.adminPayouts, words: 'Payouts to approve' },
  payoutsToSend: { href: `${DESK_PATHS.adminPayouts}?queue=toSend`, words: 'Payouts to send' },
  payoutsToConfirm: {
    href: `${DESK_PATHS.adminPayouts}?queue=toConfirm`,
    words: 'Returned payouts awaiting second approval',
  },
  wantedSettings: { href: DESK_PATHS.adminSettings, words: 'Limit changes awaiting second approval' },
  moneyActs: { href: DESK_PATHS.adminToConfirm, words: 'Refunds and write-offs awaiting second approval' },
  payoutBatches: { href: DESK_PATHS.adminPayoutBatches, words: 'Payout batches with errors' },
  payoutNotices: { href: DESK_PATHS.adminPayoutNotices, words: 'PayPal events to review' },
  processorEvents: { href: DESK_PATHS.adminProcessorEvents, words: 'Payment events to review' },
  differences: { href: DESK_PATHS.adminDifferences, words: 'Ledger discrepancies' },
  debtors: { href: DESK_PATHS.adminDebtors, words: 'Fans with debt or spending blocks' },
  missingFacts: { href: `${DESK_PATHS.adminSettings}#who`, words: 'Missing company details' },
  calls: { href: DESK_PATHS.adminCalls, words: 'Ongoing calls' },
  pushServices: { href: DESK_PATHS.adminPush, words: 'Push delivery problems' },
  teamChanges: { href: DESK_PATHS.adminTeam, words: 'Staff changes (last 7 days)' },
};

const EVERY_MS = 60_000;
export const deskQuery = () => ({ ...apiQuery(operatorDesk, {}), refetchInterval: whileAttended(EVERY_MS) });

/** The navigation entry with the longest matching path. User, post and call pages belong to the search. */
export function entryOf(address: string): DeskEntry | undefined {
  const isFound = [personDeskPath(''), postDeskPath(''), callDeskPath('')].some((path) => address.startsWith(path));
  const pathname = isFound ? DESK_PATHS.adminSearch : address;
  return DESK_ENTRIES.filter(({ href }) => pathname === href || pathname.startsWith(`${href}/`)).sort(
    (a, b) => b.href.length - a.href.length,
  )[0];
}

/** Detail pages that read another API call than their list. */
const READS_BELOW: readonly (readonly [string, OperatorCall])[] = [
  [`${DESK_PATHS.adminVerifications}/`, 'GET /admin/verifications/:id'],
  [postDeskPath(''), 'GET /admin/posts/:id'],
  [callDeskPath(''), 'GET /admin/calls/:id'],
];

/** Whether the roles may open an admin page. Pages without an entry are open to all operators. */
export function mayOpen(pathname: string, roles: readonly OperatorRole[]): boolean {
  const reads = READS_BELOW.find(([below]) => pathname.startsWith(below))?.[1] ?? entryOf(pathname)?.reads;
  return reads === undefined ? roles.length > 0 : operatorMayCall(roles, reads);
}
