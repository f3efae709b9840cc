/** The only list of admin pages, with their navigation groups and the labels of waiting work. */

import { ADMIN_PATHS, adminCallPath, adminPostPath, adminUserPath } from '@stagedoor/contract/admin/addresses.ts';
import { canOperatorCall, type OperatorCall, type OperatorRole } from '@stagedoor/contract/admin/operator-rights.ts';
import { getWorkQueue, type WorkQueueKind } from '@stagedoor/contract/admin/work-queue.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { CASE_PATHS } from '@stagedoor/contract/trust/case-addresses.ts';
import { pollWhileActive } from '../../../platform/operator.ts';
import { apiQuery } from '../../../platform/query.ts';

type AdminNavEntry = {
  readonly href: string;
  readonly label: string;
  /** The API call that the page reads. Operators who may not call it do not see the page. */
  readonly route: OperatorCall;
  readonly counts?: readonly WorkQueueKind[];
};

export const ADMIN_NAV_GROUPS: readonly { readonly head?: string; readonly entries: readonly AdminNavEntry[] }[] = [
  {
    entries: [
      { href: PATHS.admin, label: 'Work queue', route: 'GET /admin/work-queue' },
      { href: ADMIN_PATHS.adminSearch, label: 'Search', route: 'GET /admin/search' },
    ],
  },
  {
    head: 'Trust & safety',
    entries: [
      {
        href: CASE_PATHS.adminCases,
        label: 'Cases',
        route: 'GET /admin/cases',
        counts: ['cases', 'refunds', 'copyright'],
      },
      {
        href: ADMIN_PATHS.adminVerifications,
        label: 'Verification',
        route: 'GET /admin/verifications',
        counts: ['verifications'],
      },
      { href: ADMIN_PATHS.adminNewCreatorSlots, label: 'New creators', route: 'GET /admin/new-creator-slots' },
      { href: ADMIN_PATHS.adminCalls, label: 'Calls', route: 'GET /admin/calls', counts: ['calls'] },
    ],
  },
  {
    head: 'Money',
    entries: [
      {
        href: ADMIN_PATHS.adminPayouts,
        label: 'Payouts',
        route: 'GET /admin/payouts',
        counts: ['payoutsToApprove', 'payoutsToSend', 'payoutsToConfirm', 'payoutBatches', 'payoutWebhooks'],
      },
      {
        href: ADMIN_PATHS.adminApprovals,
        label: 'Needs second approval',
        route: 'GET /admin/approvals',
        counts: ['approvals'],
      },
      {
        href: ADMIN_PATHS.adminDebtors,
        label: 'Outstanding balances',
        route: 'GET /admin/debtors',
        counts: ['debtors'],
      },
      {
        href: ADMIN_PATHS.adminProcessorWebhooks,
        label: 'Payment events',
        route: 'GET /admin/processor-webhooks',
        counts: ['processorWebhooks'],
      },
      {
        href: ADMIN_PATHS.adminDifferences,
        label: 'Discrepancies',
        route: 'GET /admin/differences',
        counts: ['differences'],
      },
      { href: ADMIN_PATHS.adminAlarms, label: 'Alerts', route: 'GET /admin/alarms', counts: ['alarms'] },
      { href: ADMIN_PATHS.adminLedger, label: 'Ledger', route: 'GET /admin/ledger' },
    ],
  },
  {
    head: 'Platform',
    entries: [
      { href: ADMIN_PATHS.adminSystem, label: 'System status', route: 'GET /admin/system' },
      { href: ADMIN_PATHS.adminPush, label: 'Push', route: 'GET /admin/push-faults', counts: ['pushServices'] },
      { href: ADMIN_PATHS.adminKillSwitches, label: 'Kill switches', route: 'GET /admin/kill-switches' },
      { href: ADMIN_PATHS.adminAnnouncements, label: 'Announcements', route: 'GET /admin/announcements' },
      { href: ADMIN_PATHS.adminAudit, label: 'Audit log', route: 'GET /admin/audit' },
      { href: ADMIN_PATHS.adminStaff, label: 'Staff', route: 'GET /admin/staff', counts: ['staffChanges'] },
      {
        href: ADMIN_PATHS.adminSettings,
        label: 'Settings',
        route: 'GET /admin/payout-settings',
        counts: ['settingApprovals', 'missingCompanyDetails'],
      },
    ],
  },
];
const ADMIN_NAV_ENTRIES = ADMIN_NAV_GROUPS.flatMap(({ entries }) => entries);

export const WORK_QUEUE_ITEMS: Readonly<Record<WorkQueueKind, { href: string; label: string }>> = {
  alarms: { href: ADMIN_PATHS.adminAlarms, label: 'Ledger alerts (payouts stopped)' },
  cases: { href: CASE_PATHS.adminCases, label: 'Cases: reports, complaints, appeals and support requests' },
  refunds: { href: `${CASE_PATHS.adminCases}?queue=refunds`, label: 'Refund requests' },
  copyright: {
    href: `${CASE_PATHS.adminCases}?queue=copyright`,
    label: 'Copyright notices and counter-notices due',
  },
  verifications: { href: ADMIN_PATHS.adminVerifications, label: 'Verifications to review' },
  payoutsToApprove: { href: ADMIN_PATHS.adminPayouts, label: 'Payouts to approve' },
  payoutsToSend: { href: `${ADMIN_PATHS.adminPayouts}?queue=toSend`, label: 'Payouts to send' },
  payoutsToConfirm: {
    href: `${ADMIN_PATHS.adminPayouts}?queue=toConfirm`,
    label: 'Returned payouts awaiting second approval',
  },
  settingApprovals: { href: ADMIN_PATHS.adminSettings, label: 'Limit changes awaiting second approval' },
  approvals: { href: ADMIN_PATHS.adminApprovals, label: 'Refunds and write-offs awaiting second approval' },
  payoutBatches: { href: ADMIN_PATHS.adminPayoutBatches, label: 'Payout batches with errors' },
  payoutWebhooks: { href: ADMIN_PATHS.adminPayoutWebhooks, label: 'PayPal events to review' },
  processorWebhooks: { href: ADMIN_PATHS.adminProcessorWebhooks, label: 'Payment events to review' },
  differences: { href: ADMIN_PATHS.adminDifferences, label: 'Ledger discrepancies' },
  debtors: { href: ADMIN_PATHS.adminDebtors, label: 'Fans with debt or spending blocks' },
  missingCompanyDetails: { href: `${ADMIN_PATHS.adminSettings}#who`, label: 'Missing company details' },
  calls: { href: ADMIN_PATHS.adminCalls, label: 'Ongoing calls' },
  pushServices: { href: ADMIN_PATHS.adminPush, label: 'Push delivery problems' },
  staffChanges: { href: ADMIN_PATHS.adminStaff, label: 'Staff changes (last 7 days)' },
};

const REFETCH_MS = 60_000;
export const workQueueQuery = () => ({ ...apiQuery(getWorkQueue, {}), refetchInterval: pollWhileActive(REFETCH_MS) });

/** The navigation entry with the longest matching path. User, post and call pages belong to the search. */
export function findNavEntry(address: string): AdminNavEntry | undefined {
  const isSearchDetail = [adminUserPath(''), adminPostPath(''), adminCallPath('')].some((path) =>
    address.startsWith(path),
  );
  const pathname = isSearchDetail ? ADMIN_PATHS.adminSearch : address;
  return ADMIN_NAV_ENTRIES.filter(({ href }) => pathname === href || pathname.startsWith(`${href}/`)).sort(
    (a, b) => b.href.length - a.href.length,
  )[0];
}

/** Detail pages that read another API call than their list. */
const DETAIL_ROUTES: readonly (readonly [string, OperatorCall])[] = [
  [`${ADMIN_PATHS.adminVerifications}/`, 'GET /admin/verifications/:id'],
  [adminPostPath(''), 'GET /admin/posts/:id'],
  [adminCallPath(''), 'GET /admin/calls/:id'],
];

/** Whether the roles may open an admin page. Pages without an entry are open to all operators. */
export function canOpenPage(pathname: string, roles: readonly OperatorRole[]): boolean {
  const route = DETAIL_ROUTES.find(([prefix]) => pathname.startsWith(prefix))?.[1] ?? findNavEntry(pathname)?.route;
  return route === undefined ? roles.length > 0 : canOperatorCall(roles, route);
}
