/** A module with waiting work exports a count and is listed in {@link COUNT_BY_KIND}. */

import { listApprovals } from '@stagedoor/contract/admin/approvals.ts';
import { listAdminCalls } from '@stagedoor/contract/admin/calls.ts';
import { listCases } from '@stagedoor/contract/admin/cases.ts';
import { updateCompanyDetails } from '@stagedoor/contract/admin/company-details.ts';
import { listDebtors } from '@stagedoor/contract/admin/debts.ts';
import { listAlarms } from '@stagedoor/contract/admin/ledger.ts';
import {
  canOperatorCallRoute,
  canOperatorDecide,
  canOperatorReadQueue,
  type OperatorRole,
} from '@stagedoor/contract/admin/operator-rights.ts';
import { listAdminPayouts, listPayoutBatches, listPayoutWebhooks } from '@stagedoor/contract/admin/payouts.ts';
import { listProcessorWebhooks } from '@stagedoor/contract/admin/processor-webhooks.ts';
import { listPushFaults } from '@stagedoor/contract/admin/push.ts';
import { listDifferences } from '@stagedoor/contract/admin/reconciliation.ts';
import { listSettingApprovals } from '@stagedoor/contract/admin/setting-approvals.ts';
import { listStaff } from '@stagedoor/contract/admin/staff.ts';
import { getWorkQueue, WORK_QUEUE_KINDS, type WorkQueueKind } from '@stagedoor/contract/admin/work-queue.ts';
import { listVerifications } from '@stagedoor/contract/compliance/verification.ts';
import type { RouteSpec } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import type { Executor } from '../../../platform/database/db.ts';
import type { ModuleHost } from '../../../platform/http/routing.ts';
import { countProcessorReviews } from '../../commerce/deposits/index.ts';
import { countSubmitted } from '../../compliance/verification/index.ts';
import {
  countQuarantinedPayPalWebhooks,
  countToApprove,
  countToConfirm,
  countToSend,
  countUnsureBatches,
} from '../../finance/payouts/index.ts';
import { countPendingApprovals, countPendingSettings } from '../../identity/approvals/index.ts';
import { countStaffChanges } from '../../identity/staff/index.ts';
import { countDebtors } from '../../ledger/ledger/index.ts';
import { countAlarms, countOpenDifferences } from '../../ledger/ledger-checks/index.ts';
import { countOpenCalls } from '../../messaging/calls/index.ts';
import { countPushServiceErrors } from '../../notifications/push/index.ts';
import { countMissingDetails } from '../../trust/legal/index.ts';
import { countCopyright, countOpenCases, countRefunds } from '../../trust/moderation/index.ts';
import { manifest } from './manifest.ts';

type WaitingWork = { count: number; since: Date | null };

async function countActiveAlarms(db: Executor): Promise<WaitingWork> {
  const { active, passed, since } = await countAlarms(db);
  return { count: active + passed, since };
}

/** Operators who may call the route see the count. */
const ROUTE_BY_KIND: Readonly<Record<WorkQueueKind, Pick<RouteSpec, 'method' | 'path'>>> = {
  alarms: listAlarms,
  cases: listCases,
  refunds: listCases,
  copyright: listCases,
  verifications: listVerifications,
  payoutsToApprove: listAdminPayouts,
  payoutsToSend: listAdminPayouts,
  payoutsToConfirm: listAdminPayouts,
  settingApprovals: listSettingApprovals,
  approvals: listApprovals,
  payoutBatches: listPayoutBatches,
  payoutWebhooks: listPayoutWebhooks,
  processorWebhooks: listProcessorWebhooks,
  differences: listDifferences,
  debtors: listDebtors,
  missingCompanyDetails: updateCompanyDetails,
  pushServices: listPushFaults,
  staffChanges: listStaff,
  calls: listAdminCalls,
};

const COUNT_BY_KIND: Readonly<Record<WorkQueueKind, (db: Executor, now: Date) => Promise<WaitingWork>>> = {
  alarms: countActiveAlarms,
  cases: countOpenCases,
  refunds: countRefunds,
  copyright: countCopyright,
  verifications: countSubmitted,
  payoutsToApprove: countToApprove,
  payoutsToSend: countToSend,
  payoutsToConfirm: countToConfirm,
  settingApprovals: countPendingSettings,
  approvals: countPendingApprovals,
  payoutBatches: countUnsureBatches,
  payoutWebhooks: countQuarantinedPayPalWebhooks,
  processorWebhooks: countProcessorReviews,
  differences: countOpenDifferences,
  debtors: countDebtors,
  missingCompanyDetails: countMissingDetails,
  calls: countOpenCalls,
  pushServices: countPushServiceErrors,
  staffChanges: countStaffChanges,
};

function canSeeWork(roles: readonly OperatorRole[], kind: WorkQueueKind): boolean {
  if (!canOperatorCallRoute(roles, ROUTE_BY_KIND[kind])) return false;
  if (kind === 'cases') return canOperatorReadQueue(roles, 'reports');
  if (kind === 'copyright') return canOperatorReadQueue(roles, 'copyright');
  return kind !== 'refunds' || canOperatorDecide(roles, 'refund', false);
}

async function countWork({ db, clock }: Pick<Context, 'clock' | 'db'>, roles: readonly OperatorRole[]) {
  const visibleKinds = WORK_QUEUE_KINDS.filter((kind) => canSeeWork(roles, kind));
  const data = await Promise.all(
    visibleKinds.map(async (kind) => {
      const { count, since } = await COUNT_BY_KIND[kind](db, clock.now());
      return { kind, count, since: since?.toISOString() ?? null };
    }),
  );
  return { data };
}

export const featureModule = {
  ...manifest,
  register: ({ bind, ctx }: ModuleHost) => bind(getWorkQueue, ({ actor }) => countWork(ctx, actor.roles ?? [])),
};
