/** The only list of admin pages, with their navigation groups and the labels of waiting work. */

import { ADMIN_PATHS, adminCallPath, adminPostPath, adminUserPath } from '@stagedoor/contract/admin/addresses.ts';
import { canOperatorCall, type OperatorCall, type OperatorRole } from '@stagedoor/contract/admin/operator-rights.ts';
import { getWorkQueue, type WorkQueueKind } from '@stagedoor/contract/admin/work-queue.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { CASE_PATHS } from '@stagedoor/contract/trust/case-addresses.ts';
import { pollWhileActive } from '../../../platform/operator.ts';
import { apiQuery } from '../../../platform/query.ts';
import * as texts from './texts.ts';

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
      { href: PATHS.admin, label: texts.workQueue, route: 'GET /admin/work-queue' },
      { href: ADMIN_PATHS.adminSearch, label: texts.search, route: 'GET /admin/search' },
    ],
  },
  {
    head: texts.trustSafety,
    entries: [
      {
        href: CASE_PATHS.adminCases,
        label: texts.cases,
        route: 'GET /admin/cases',
        counts: ['cases', 'refunds', 'copyright'],
      },
      {
        href: ADMIN_PATHS.adminVerifications,
        label: texts.verification,
        route: 'GET /admin/verifications',
        counts: ['verifications'],
      },
      { href: ADMIN_PATHS.adminNewCreatorSlots, label: texts.newCreators, route: 'GET /admin/new-creator-slots' },
      { href: ADMIN_PATHS.adminCalls, label: texts.calls, route: 'GET /admin/calls', counts: ['calls'] },
    ],
  },
  {
    head: texts.money,
    entries: [
      {
        href: ADMIN_PATHS.adminPayouts,
        label: texts.payouts,
        route: 'GET /admin/payouts',
        counts: ['payoutsToApprove', 'payoutsToSend', 'payoutsToConfirm', 'payoutBatches', 'payoutWebhooks'],
      },
      {
        href: ADMIN_PATHS.adminApprovals,
        label: texts.needsSecondApproval,
        route: 'GET /admin/approvals',
        counts: ['approvals'],
      },
      {
        href: ADMIN_PATHS.adminSubscriptions,
        label: texts.subscriptions,
        route: 'GET /admin/subscriptions',
      },
      {
        href: ADMIN_PATHS.adminDebtors,
        label: texts.outstandingBalances,
        route: 'GET /admin/debtors',
        counts: ['debtors'],
      },
      {
        href: ADMIN_PATHS.adminProcessorWebhooks,
        label: texts.paymentEvents,
        route: 'GET /admin/processor-webhooks',
        counts: ['processorWebhooks'],
      },
      {
        href: ADMIN_PATHS.adminDifferences,
        label: texts.discrepancies,
        route: 'GET /admin/differences',
        counts: ['differences'],
      },
      { href: ADMIN_PATHS.adminAlarms, label: texts.alerts, route: 'GET /admin/alarms', counts: ['alarms'] },
      { href: ADMIN_PATHS.adminLedger, label: texts.ledger, route: 'GET /admin/ledger' },
    ],
  },
  {
    head: texts.platform,
    entries: [
      { href: ADMIN_PATHS.adminSystem, label: texts.systemStatus, route: 'GET /admin/system' },
      { href: ADMIN_PATHS.adminPush, label: texts.push, route: 'GET /admin/push-faults', counts: ['pushServices'] },
      { href: ADMIN_PATHS.adminKillSwitches, label: texts.killSwitches, route: 'GET /admin/kill-switches' },
      { href: ADMIN_PATHS.adminAnnouncements, label: texts.announcements, route: 'GET /admin/announcements' },
      { href: ADMIN_PATHS.adminAudit, label: texts.auditLog, route: 'GET /admin/audit' },
      { href: ADMIN_PATHS.adminStaff, label: texts.staff, route: 'GET /admin/staff', counts: ['staffChanges'] },
      {
        href: ADMIN_PATHS.adminSettings,
        label: texts.settings,
        route: 'GET /admin/payout-settings',
        counts: ['settingApprovals', 'missingCompanyDetails'],
      },
    ],
  },
];
const ADMIN_NAV_ENTRIES = ADMIN_NAV_GROUPS.flatMap(({ entries }) => entries);

export const WORK_QUEUE_ITEMS: Readonly<Record<WorkQueueKind, { href: string; label: string }>> = {
  alarms: { href: ADMIN_PATHS.adminAlarms, label: texts.ledgerAlertsPayoutsStopped },
  cases: { href: CASE_PATHS.adminCases, label: texts.casesAndRequests },
  refunds: { href: `${CASE_PATHS.adminCases}?queue=refunds`, label: texts.refundRequests },
  copyright: {
    href: `${CASE_PATHS.adminCases}?queue=copyright`,
    label: texts.copyrightNoticesDue,
  },
  verifications: { href: ADMIN_PATHS.adminVerifications, label: texts.verificationsToReview },
  payoutsToApprove: { href: ADMIN_PATHS.adminPayouts, label: texts.payoutsToApprove },
  payoutsToSend: { href: `${ADMIN_PATHS.adminPayouts}?queue=toSend`, label: texts.payoutsToSend },
  payoutsToConfirm: {
    href: `${ADMIN_PATHS.adminPayouts}?queue=toConfirm`,
    label: texts.returnedPayoutsSecondApproval,
  },
  settingApprovals: { href: ADMIN_PATHS.adminSettings, label: texts.limitChangesSecondApproval },
  approvals: { href: ADMIN_PATHS.adminApprovals, label: texts.refundsSecondApproval },
  payoutBatches: { href: ADMIN_PATHS.adminPayoutBatches, label: texts.payoutBatchesWithErrors },
  payoutWebhooks: { href: ADMIN_PATHS.adminPayoutWebhooks, label: texts.paypalEventsToReview },
  processorWebhooks: { href: ADMIN_PATHS.adminProcessorWebhooks, label: texts.paymentEventsToReview },
  differences: { href: ADMIN_PATHS.adminDifferences, label: texts.ledgerDiscrepancies },
  debtors: { href: ADMIN_PATHS.adminDebtors, label: texts.fansWithDebtOrBlocks },
  missingCompanyDetails: { href: `${ADMIN_PATHS.adminSettings}#who`, label: texts.missingCompanyDetails },
  calls: { href: ADMIN_PATHS.adminCalls, label: texts.ongoingCalls },
  pushServices: { href: ADMIN_PATHS.adminPush, label: texts.pushDeliveryProblems },
  staffChanges: { href: ADMIN_PATHS.adminStaff, label: texts.recentStaffChanges },
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
