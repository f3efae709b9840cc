/** Permissions by role. The server does not start if an operator route is missing here. Owners may call all. */
import type { RouteSpec } from './atoms/route.ts';
import type { CaseAct, CaseQueue } from './case-kinds.ts';

/**
 * `moderator`: cases, verification, calls. `finance`: payouts, debts, ledger, refunds. `support`: help requests.
 * `auditor`: reads everything except documents and reported content.
 */
export const OPERATOR_ROLES = ['owner', 'moderator', 'finance', 'support', 'auditor'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];
type Other = Exclude<OperatorRole, 'owner'>;

/** `isProven`: needs re-authentication within the last minutes, because it concerns money or documents. */
type Right = { readonly roles: readonly Other[]; readonly isProven?: true };
const to = (...roles: Other[]): Right => ({ roles });
const provenTo = (...roles: Other[]): Right => ({ roles, isProven: true });
const EVERY: readonly Other[] = ['moderator', 'finance', 'support', 'auditor'];

export const OPERATOR_RIGHTS = {
  'GET /admin/me': to(...EVERY),
  'POST /admin/prove': to(...EVERY),
  'GET /admin/desk': to(...EVERY),
  'GET /admin/search': to(...EVERY),
  'GET /admin/people/:id': to(...EVERY),
  'POST /admin/people/:id/case': to('moderator', 'support'),
  'GET /admin/newcomers': to('moderator', 'support', 'auditor'),
  'GET /admin/posts/:id': to('moderator', 'support', 'auditor'),
  'GET /admin/posts/:id/thing': to('moderator'),
  'POST /admin/posts/:id/case': to('moderator', 'support'),

  'GET /admin/team': to('auditor'),
  'GET /admin/team-changes': to('auditor'),
  'POST /admin/team': provenTo(),
  'PUT /admin/team/:id': provenTo(),
  'POST /admin/team/:id/end-sessions': provenTo(),

  'GET /admin/cases': to(...EVERY),
  'GET /admin/case-counts': to(...EVERY),
  'GET /admin/cases/:id': to(...EVERY),
  'GET /admin/cases/:id/thing': to('moderator'),
  'GET /admin/cases/:id/profiles/:profileId/:which': to('moderator'),
  'GET /admin/cases/:id/pictures/:pictureId': to('moderator', 'support'),
  'POST /admin/cases/:id/assign': to('moderator', 'support'),
  'POST /admin/cases/:id/notes': to('moderator', 'support'),
  'POST /admin/cases/:id/replies': to('moderator', 'support'),
  'POST /admin/cases/:id/pass': to('moderator', 'support', 'finance'),
  'POST /admin/cases/:id/decision': to('moderator', 'support', 'finance'),
  'POST /admin/case-decisions/:id/undo': to('moderator', 'support'),
  'POST /admin/cases/dismiss': to('moderator', 'support'),
  'POST /admin/cases/reopen': to('moderator', 'support'),
  'GET /admin/saved-answers': to('moderator', 'support', 'auditor'),
  'POST /admin/saved-answers': to('moderator', 'support'),
  'DELETE /admin/saved-answers/:id': to('moderator', 'support'),

  'GET /admin/verifications': to('moderator', 'auditor'),
  'GET /admin/verifications/:id': provenTo('moderator'),
  'GET /admin/verifications/:id/documents/:kind': provenTo('moderator'),
  'POST /admin/verifications/:id/decision': provenTo('moderator'),

  'GET /admin/calls': to('moderator', 'support', 'auditor'),
  'GET /admin/calls/:id': to('moderator', 'support', 'auditor'),
  'POST /admin/calls/:id/end': to('moderator'),

  'GET /admin/payouts': to('finance', 'auditor'),
  'GET /admin/payouts/:id': to('finance', 'auditor'),
  'POST /admin/payouts/:id/decision': provenTo('finance'),
  'POST /admin/payouts/:id/transfer': provenTo('finance'),
  'POST /admin/payouts/:id/reference': provenTo('finance'),
  'GET /admin/payout-batches': to('finance', 'auditor'),
  'GET /admin/payout-rails': to('finance', 'auditor'),
  'POST /admin/payout-batches': provenTo('finance'),
  'POST /admin/payout-batches/:id/file': provenTo('finance'),
  'GET /admin/payout-notices': to('finance', 'auditor'),
  'POST /admin/payout-notices/:id/decision': provenTo('finance'),
  'GET /admin/payout-settings': to('finance', 'auditor'),
  'PUT /admin/payout-settings': provenTo(),
  'GET /admin/wanted-settings': to('finance', 'auditor'),
  'POST /admin/wanted-settings/:name/decision': provenTo('finance'),
  'GET /admin/money-acts': to('finance', 'auditor'),
  'POST /admin/money-acts/:id/decision': provenTo('finance'),
  'GET /admin/fees': to('finance', 'auditor'),
  'PUT /admin/fees': provenTo(),
  'GET /admin/price-limits': to('finance', 'auditor'),
  'PUT /admin/price-limits': provenTo(),
  'GET /admin/creator-fees': to('finance', 'auditor'),
  'PUT /admin/creator-fees/:id': provenTo(),
  'GET /admin/fee-changes': to('finance', 'auditor'),
  'GET /admin/operator': to('finance', 'auditor'),
  'POST /admin/operator': provenTo(),

  'GET /admin/debtors': to('finance', 'auditor'),
  'POST /admin/debtors/:id/decision': provenTo('finance'),
  'GET /admin/processor-events': to('finance', 'auditor'),
  'POST /admin/processor-events/:id/decision': provenTo('finance'),
  'GET /admin/differences': to('finance', 'auditor'),
  'POST /admin/differences/:id/explanation': provenTo('finance'),
  'GET /admin/comparisons': to('finance', 'auditor'),
  'GET /admin/settlements': to('finance', 'auditor'),
  'POST /admin/settlements': provenTo('finance'),
  'POST /admin/settlements/:id/reversal': provenTo('finance'),
  'GET /admin/ledger': to('finance', 'auditor'),
  'GET /admin/ledger/transactions/:id': to('finance', 'auditor'),
  'GET /admin/ledger/accounts': to('finance', 'auditor'),
  'GET /admin/ledger/accounts/:code': to('finance', 'auditor'),
  'GET /admin/ledger/reconciliation': to('finance', 'auditor'),
  'GET /admin/ledger/reconciliation/file': to('finance', 'auditor'),
  'GET /admin/alarms': to('finance', 'auditor'),
  'POST /admin/alarms/check': to('finance'),
  'POST /admin/alarms/:id/resolution': provenTo('finance'),

  // Everyone sees disabled features. Only owners change them.
  'GET /admin/switches': to(...EVERY),
  'PUT /admin/switches/:name': provenTo(),
  // Everyone can answer questions about announcements. Only owners publish.
  'GET /admin/announcements': to(...EVERY),
  'POST /admin/announcements': provenTo(),
  'POST /admin/announcements/:id/end': provenTo(),

  // Support answers questions about missing mails and error references. It does not get jobs and processes.
  'GET /admin/state': to('support', 'auditor'),
  'POST /admin/state/jobs/:id/retry': to(),

  'GET /admin/push-faults': to('support', 'auditor'),

  'GET /admin/audit': to('auditor'),
  'GET /admin/audit/chain': to('auditor'),
  'GET /admin/audit/words': to('auditor'),
  'GET /admin/audit/file': to('auditor'),
} as const satisfies Readonly<Record<string, Right>>;
export type OperatorCall = keyof typeof OPERATOR_RIGHTS;

const BY_CALL: Readonly<Record<string, Right | undefined>> = OPERATOR_RIGHTS;

type Called = Pick<RouteSpec, 'method' | 'path'>;

export function operatorRightOf({ method, path }: Called): Right | undefined {
  return BY_CALL[`${method} ${path}`];
}

/** Routes without an entry are refused. */
export function operatorMay(roles: readonly OperatorRole[], route: Called): boolean {
  const right = operatorRightOf(route);
  if (!right) return false;
  return roles.some((role) => role === 'owner' || right.roles.includes(role));
}

/** Finance reads only refund requests. Support reads no copyright cases, because they contain postal addresses. */
export function operatorReadsQueue(roles: readonly OperatorRole[], queue: CaseQueue): boolean {
  return roles.some((role) => {
    if (role === 'finance') return queue === 'refunds';
    return role !== 'support' || queue !== 'copyright';
  });
}

/** In addition to the table above: support decides only help requests, and only owners and finance refund. */
export function operatorMayDecide(roles: readonly OperatorRole[], act: CaseAct, isSupport: boolean): boolean {
  return roles.some((role) => {
    if (act === 'refund') return role === 'owner' || role === 'finance';
    if (role === 'owner' || role === 'moderator') return true;
    return role === 'support' && isSupport && (act === 'close' || act === 'dismiss');
  });
}

/**
 * These decisions need recent re-authentication, also to reverse them. Takedowns do not, because content causes harm
 * until it is removed.
 */
const PROVEN_ACTS: readonly CaseAct[] = ['refund', 'limitPayouts', 'suspend', 'block'];
export const isProvenAct = (act: CaseAct): boolean => PROVEN_ACTS.includes(act);

export function operatorMayCall(roles: readonly OperatorRole[], call: OperatorCall): boolean {
  return roles.some((role) => role === 'owner' || BY_CALL[call]?.roles.includes(role));
}
