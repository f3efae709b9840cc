/** The desk's pages in the order of its navigation, and what each kind of waiting is called: the one list in which a page is entered. */

import { PATHS } from '@stagedoor/contract/addresses.ts';
import { CASE_PATHS } from '@stagedoor/contract/case-addresses.ts';
import { operatorDesk, type WaitingKind } from '@stagedoor/contract/desk.ts';
import { DESK_PATHS } from '@stagedoor/contract/desk-addresses.ts';
import { apiQuery } from '../../kernel/query.ts';

type DeskEntry = {
  readonly href: string;
  readonly label: string;
  /** What of it waits, counted beside its name. */
  readonly counts?: readonly WaitingKind[];
};

export const DESK_ENTRIES: readonly DeskEntry[] = [
  { href: PATHS.admin, label: 'What waits' },
  { href: CASE_PATHS.adminCases, label: 'Cases', counts: ['cases'] },
  { href: DESK_PATHS.adminVerifications, label: 'Verification', counts: ['verifications'] },
  {
    href: DESK_PATHS.adminPayouts,
    label: 'Payouts',
    counts: ['payoutsToApprove', 'payoutsToSend', 'payoutBatches', 'payoutNotices'],
  },
  { href: DESK_PATHS.adminCalls, label: 'Calls', counts: ['calls'] },
  { href: DESK_PATHS.adminDebtors, label: 'Debtors', counts: ['debtors'] },
  { href: DESK_PATHS.adminProcessorEvents, label: 'Processor', counts: ['processorEvents'] },
  { href: DESK_PATHS.adminDifferences, label: 'Differences', counts: ['differences'] },
  { href: DESK_PATHS.adminAlarms, label: 'Alarms', counts: ['alarms'] },
  { href: DESK_PATHS.adminLedger, label: 'Ledger' },
  { href: DESK_PATHS.adminAudit, label: 'Audit log' },
  { href: DESK_PATHS.adminSettings, label: 'Settings', counts: ['missingFacts'] },
];

/** What waits, in a line that leads to it. */
export const WAITING: Readonly<Record<WaitingKind, { href: string; words: string }>> = {
  alarms: { href: DESK_PATHS.adminAlarms, words: 'Alarms of the ledger: payouts are stopped' },
  cases: { href: CASE_PATHS.adminCases, words: 'Cases: reports, complaints, appeals and questions' },
  verifications: { href: DESK_PATHS.adminVerifications, words: 'Creators who handed in their documents' },
  payoutsToApprove: { href: DESK_PATHS.adminPayouts, words: 'Payouts to approve' },
  payoutsToSend: { href: `${DESK_PATHS.adminPayouts}?queue=toSend`, words: 'Payouts to send' },
  payoutBatches: { href: DESK_PATHS.adminPayoutBatches, words: 'Batches unsure or refused' },
  payoutNotices: { href: DESK_PATHS.adminPayoutNotices, words: 'Notices of PayPal to decide' },
  processorEvents: { href: DESK_PATHS.adminProcessorEvents, words: 'Payments that nobody could act on by rule' },
  differences: { href: DESK_PATHS.adminDifferences, words: 'Differences in the books' },
  debtors: { href: DESK_PATHS.adminDebtors, words: 'Fans who owe or may not spend' },
  missingFacts: { href: `${DESK_PATHS.adminSettings}#who`, words: 'Facts about us that public texts leave out' },
  calls: { href: DESK_PATHS.adminCalls, words: 'Calls that go on' },
};

const EVERY_MS = 60_000;
/** Asked again while the page is looked at, and after every act. */
export const deskQuery = () => ({ ...apiQuery(operatorDesk, {}), refetchInterval: EVERY_MS });

/** The entry that an address belongs to: the longest that begins it. */
export function entryOf(pathname: string): DeskEntry | undefined {
  return DESK_ENTRIES.filter(({ href }) => pathname === href || pathname.startsWith(`${href}/`)).sort(
    (a, b) => b.href.length - a.href.length,
  )[0];
}
