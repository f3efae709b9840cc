/** The desk's pages in the order of its navigation, and what each kind of waiting is called: the one list in which a page is entered. */
import { PATHS } from '@stagedoor/contract/addresses.ts';
import { operatorDesk, type WaitingKind } from '@stagedoor/contract/desk.ts';
import { apiQuery } from '../../kernel/query.ts';

type DeskEntry = {
  readonly href: string;
  readonly label: string;
  /** What of it waits, counted beside its name. */
  readonly counts?: readonly WaitingKind[];
};

export const DESK_ENTRIES: readonly DeskEntry[] = [
  { href: PATHS.admin, label: 'What waits' },
  { href: PATHS.adminCases, label: 'Cases', counts: ['cases'] },
  { href: PATHS.adminVerifications, label: 'Verification', counts: ['verifications'] },
  {
    href: PATHS.adminPayouts,
    label: 'Payouts',
    counts: ['payoutsToApprove', 'payoutsToSend', 'payoutBatches', 'payoutNotices'],
  },
  { href: PATHS.adminCalls, label: 'Calls', counts: ['calls'] },
  { href: PATHS.adminDebtors, label: 'Debtors', counts: ['debtors'] },
  { href: PATHS.adminProcessorEvents, label: 'Processor', counts: ['processorEvents'] },
  { href: PATHS.adminDifferences, label: 'Differences', counts: ['differences'] },
  { href: PATHS.adminAlarms, label: 'Alarms', counts: ['alarms'] },
  { href: PATHS.adminLedger, label: 'Ledger' },
  { href: PATHS.adminAudit, label: 'Audit log' },
  { href: PATHS.adminSettings, label: 'Settings', counts: ['missingFacts'] },
];

/** What waits, in a line that leads to it. */
export const WAITING: Readonly<Record<WaitingKind, { href: string; words: string }>> = {
  alarms: { href: PATHS.adminAlarms, words: 'Alarms of the ledger: payouts are stopped' },
  cases: { href: PATHS.adminCases, words: 'Cases: reports, complaints, appeals and questions' },
  verifications: { href: PATHS.adminVerifications, words: 'Creators who handed in their documents' },
  payoutsToApprove: { href: PATHS.adminPayouts, words: 'Payouts to approve' },
  payoutsToSend: { href: `${PATHS.adminPayouts}?queue=toSend`, words: 'Payouts to send' },
  payoutBatches: { href: PATHS.adminPayoutBatches, words: 'Batches that nobody is sure of' },
  payoutNotices: { href: PATHS.adminPayoutNotices, words: 'Notices of PayPal to decide' },
  processorEvents: { href: PATHS.adminProcessorEvents, words: 'Payments that nobody could act on by rule' },
  differences: { href: PATHS.adminDifferences, words: 'Differences in the books' },
  debtors: { href: PATHS.adminDebtors, words: 'Fans who owe or may not spend' },
  missingFacts: { href: `${PATHS.adminSettings}#who`, words: 'Facts about us that public texts leave out' },
  calls: { href: PATHS.adminCalls, words: 'Calls that go on' },
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
