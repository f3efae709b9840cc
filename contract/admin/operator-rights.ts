/** Permissions by role. The server does not start if an operator route is missing here. Owners may call all. */

import type { RouteSpec } from '../shared/route.ts';
import type { CaseAction, CaseQueue } from '../trust/case-kinds.ts';

/**
 * `moderator`: cases, verification, calls. `finance`: payouts, debts, ledger, refunds. `support`: help requests.
 * `auditor`: reads everything except documents and reported content.
 */
export const OPERATOR_ROLES = ['owner', 'moderator', 'finance', 'support', 'auditor'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];
type NonOwnerRole = Exclude<OperatorRole, 'owner'>;

/** `needsStepUp`: needs re-authentication within the last minutes, because it concerns money or documents. */
type RouteRight = { readonly roles: readonly NonOwnerRole[]; readonly needsStepUp?: true };
const allow = (...roles: NonOwnerRole[]): RouteRight => ({ roles });
const allowWithStepUp = (...roles: NonOwnerRole[]): RouteRight => ({ roles, needsStepUp: true });
const ALL_ROLES: readonly NonOwnerRole[] = ['moderator', 'finance', 'support', 'auditor'];

export const OPERATOR_RIGHTS = {
  'GET /admin/me': allow(...ALL_ROLES),
  'POST /admin/step-up': allow(...ALL_ROLES),
  'GET /admin/work-queue': allow(...ALL_ROLES),
  'GET /admin/search': allow(...ALL_ROLES),
  'GET /admin/users/:id': allow(...ALL_ROLES),
  'POST /admin/users/:id/case': allow('moderator', 'support'),
  'GET /admin/new-creator-slots': allow('moderator', 'support', 'auditor'),
  'GET /admin/posts/:id': allow('moderator', 'support', 'auditor'),
  'GET /admin/posts/:id/content': allow('moderator'),
  'POST /admin/posts/:id/case': allow('moderator', 'support'),

  'GET /admin/staff': allow('auditor'),
  'GET /admin/staff-changes': allow('auditor'),
  'POST /admin/staff': allowWithStepUp(),
  'POST /admin/staff/:id/code': allowWithStepUp(),
  'PUT /admin/staff/:id': allowWithStepUp(),
  'POST /admin/staff/:id/end-sessions': allowWithStepUp(),

  'GET /admin/cases': allow(...ALL_ROLES),
  'GET /admin/case-counts': allow(...ALL_ROLES),
  'GET /admin/cases/:id': allow(...ALL_ROLES),
  'GET /admin/cases/:id/content': allow('moderator'),
  'GET /admin/cases/:id/profiles/:profileId/:pictureKind': allow('moderator'),
  'GET /admin/cases/:id/pictures/:pictureId': allow('moderator', 'support'),
  'POST /admin/cases/:id/assign': allow('moderator', 'support'),
  'POST /admin/cases/:id/notes': allow('moderator', 'support'),
  'POST /admin/cases/:id/replies': allow('moderator', 'support'),
  'POST /admin/cases/:id/route': allow('moderator', 'support', 'finance'),
  'POST /admin/cases/:id/decision': allow('moderator', 'support', 'finance'),
  'POST /admin/case-decisions/:id/undo': allow('moderator', 'support'),
  'POST /admin/cases/dismiss': allow('moderator', 'support'),
  'POST /admin/cases/reopen': allow('moderator', 'support'),
  'GET /admin/canned-responses': allow('moderator', 'support', 'auditor'),
  'POST /admin/canned-responses': allow('moderator', 'support'),
  'DELETE /admin/canned-responses/:id': allow('moderator', 'support'),

  'GET /admin/verifications': allow('moderator', 'auditor'),
  'GET /admin/verifications/:id': allowWithStepUp('moderator'),
  'GET /admin/verifications/:id/documents/:kind': allowWithStepUp('moderator'),
  'POST /admin/verifications/:id/decision': allowWithStepUp('moderator'),

  'GET /admin/calls': allow('moderator', 'support', 'auditor'),
  'GET /admin/calls/:id': allow('moderator', 'support', 'auditor'),
  'POST /admin/calls/:id/end': allow('moderator'),

  'GET /admin/subscription-overview': allow('support', 'finance', 'auditor'),
  'GET /admin/subscriptions': allow('support', 'finance', 'auditor'),
  'GET /admin/subscriptions/:id': allow('support', 'finance', 'auditor'),
  'POST /admin/subscriptions/:id/end': allowWithStepUp('finance'),
  'POST /admin/subscriptions/:id/refund': allowWithStepUp('finance'),

  'GET /admin/payouts': allow('finance', 'auditor'),
  'GET /admin/payouts/:id': allow('finance', 'auditor'),
  'POST /admin/payouts/:id/decision': allowWithStepUp('finance'),
  'POST /admin/payouts/:id/transfer': allowWithStepUp('finance'),
  'POST /admin/payouts/:id/reference': allowWithStepUp('finance'),
  'GET /admin/payout-batches': allow('finance', 'auditor'),
  'GET /admin/payout-rails': allow('finance', 'auditor'),
  'POST /admin/payout-batches': allowWithStepUp('finance'),
  'POST /admin/payout-batches/:id/file': allowWithStepUp('finance'),
  'GET /admin/payout-webhooks': allow('finance', 'auditor'),
  'POST /admin/payout-webhooks/:id/decision': allowWithStepUp('finance'),
  'GET /admin/payout-settings': allow('finance', 'auditor'),
  'PUT /admin/payout-settings': allowWithStepUp(),
  'GET /admin/setting-approvals': allow('finance', 'auditor'),
  'POST /admin/setting-approvals/:name/decision': allowWithStepUp('finance'),
  'GET /admin/approvals': allow('finance', 'auditor'),
  'POST /admin/approvals/:id/decision': allowWithStepUp('finance'),
  'GET /admin/fees': allow('finance', 'auditor'),
  'PUT /admin/fees': allowWithStepUp(),
  'GET /admin/price-limits': allow('finance', 'auditor'),
  'PUT /admin/price-limits': allowWithStepUp(),
  'GET /admin/subscription-settings': allow('finance', 'auditor'),
  'PUT /admin/subscription-settings': allowWithStepUp(),
  'GET /admin/creator-fees': allow('finance', 'auditor'),
  'PUT /admin/creator-fees/:id': allowWithStepUp(),
  'GET /admin/fee-changes': allow('finance', 'auditor'),
  'GET /admin/company': allow('finance', 'auditor'),
  'POST /admin/company': allowWithStepUp(),

  'GET /admin/debtors': allow('finance', 'auditor'),
  'POST /admin/debtors/:id/decision': allowWithStepUp('finance'),
  'GET /admin/card-cancellations': allow('finance', 'auditor'),
  'GET /admin/processor-webhooks': allow('finance', 'auditor'),
  'POST /admin/processor-webhooks/:id/decision': allowWithStepUp('finance'),
  'GET /admin/differences': allow('finance', 'auditor'),
  'POST /admin/differences/:id/explanation': allowWithStepUp('finance'),
  'GET /admin/reconciliation-runs': allow('finance', 'auditor'),
  'GET /admin/settlements': allow('finance', 'auditor'),
  'POST /admin/settlements': allowWithStepUp('finance'),
  'POST /admin/settlements/:id/reversal': allowWithStepUp('finance'),
  'GET /admin/ledger': allow('finance', 'auditor'),
  'GET /admin/ledger/transactions/:id': allow('finance', 'auditor'),
  'GET /admin/ledger/accounts': allow('finance', 'auditor'),
  'GET /admin/ledger/accounts/:code': allow('finance', 'auditor'),
  'GET /admin/ledger/reconciliation': allow('finance', 'auditor'),
  'GET /admin/ledger/reconciliation/file': allow('finance', 'auditor'),
  'GET /admin/alarms': allow('finance', 'auditor'),
  'POST /admin/alarms/check': allow('finance'),
  'POST /admin/alarms/:id/resolution': allowWithStepUp('finance'),

  // Everyone sees disabled features. Only owners change them.
  'GET /admin/kill-switches': allow(...ALL_ROLES),
  'PUT /admin/kill-switches/:name': allowWithStepUp(),
  // Everyone can answer questions about announcements. Only owners publish.
  'GET /admin/announcements': allow(...ALL_ROLES),
  'POST /admin/announcements': allowWithStepUp(),
  'POST /admin/announcements/:id/end': allowWithStepUp(),

  // Support answers questions about missing mails and error references. It does not get jobs and processes.
  'GET /admin/system': allow('support', 'auditor'),
  'POST /admin/system/jobs/:id/retry': allow(),

  'GET /admin/push-faults': allow('support', 'auditor'),

  'GET /admin/audit': allow('auditor'),
  'GET /admin/audit/chain': allow('auditor'),
  'GET /admin/audit/filters': allow('auditor'),
  'GET /admin/audit/file': allow('auditor'),
} as const satisfies Readonly<Record<string, RouteRight>>;
export type OperatorCall = keyof typeof OPERATOR_RIGHTS;

const rightsByCall: Readonly<Record<string, RouteRight | undefined>> = OPERATOR_RIGHTS;

type CalledRoute = Pick<RouteSpec, 'method' | 'path'>;

export function findOperatorRight({ method, path }: CalledRoute): RouteRight | undefined {
  return rightsByCall[`${method} ${path}`];
}

/** Routes without an entry are refused. */
export function canOperatorCallRoute(roles: readonly OperatorRole[], route: CalledRoute): boolean {
  const right = findOperatorRight(route);
  if (!right) return false;
  return roles.some((role) => role === 'owner' || right.roles.includes(role));
}

/** Finance reads only refund requests. Support reads no copyright cases, because they contain postal addresses. */
export function canOperatorReadQueue(roles: readonly OperatorRole[], queue: CaseQueue): boolean {
  return roles.some((role) => {
    if (role === 'finance') return queue === 'refunds';
    return role !== 'support' || queue !== 'copyright';
  });
}

/** In addition to the table above: support decides only help requests, and only owners and finance refund. */
export function canOperatorDecide(roles: readonly OperatorRole[], action: CaseAction, isSupport: boolean): boolean {
  return roles.some((role) => {
    if (action === 'refund') return role === 'owner' || role === 'finance';
    if (role === 'owner' || role === 'moderator') return true;
    return role === 'support' && isSupport && (action === 'close' || action === 'dismiss');
  });
}

/**
 * These decisions need recent re-authentication, also to reverse them. Takedowns do not, because content causes harm
 * until it is removed.
 */
const STEP_UP_ACTIONS: readonly CaseAction[] = ['refund', 'limitPayouts', 'suspend', 'block'];
export const isStepUpAction = (action: CaseAction): boolean => STEP_UP_ACTIONS.includes(action);

export function canOperatorCall(roles: readonly OperatorRole[], call: OperatorCall): boolean {
  return roles.some((role) => role === 'owner' || rightsByCall[call]?.roles.includes(role));
}
