/** A new kind is an entry here and a name in contract/trust/case-kinds.ts. */

import { addBusinessDays } from '@stagedoor/contract/finance/business-days.ts';
import { COPYRIGHT_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import type {
  CaseAction,
  CaseKind,
  CaseQueue,
  CaseState,
  ReportSubject,
} from '@stagedoor/contract/trust/case-kinds.ts';

export type DeadlineRule = { readonly hours: number } | { readonly businessDays: number };

export type CaseKindRules = {
  readonly queue: CaseQueue;
  /** ⚙ This is the deadline for a response. */
  readonly deadline: DeadlineRule;
  /** `hasMeasures` adds the measures that fit the subject. */
  readonly actions: readonly CaseAction[];
  readonly hasMeasures: boolean;
  /** A kind can offer fewer actions on content than the default. */
  readonly contentActions?: readonly CaseAction[];
  readonly hasRefunds?: boolean;
  /** Reports of the same subject are merged while the case is open. */
  readonly isMerged?: boolean;
  readonly hasReplies?: boolean;
  readonly isReopenable?: boolean;
};

export const CASE_KIND_RULES: Readonly<Record<CaseKind, CaseKindRules>> = {
  report: {
    queue: 'reports',
    deadline: { hours: 24 },
    actions: ['dismiss'],
    hasMeasures: true,
    hasRefunds: true,
    isMerged: true,
    isReopenable: true,
  },
  complaint: {
    queue: 'complaints',
    deadline: { businessDays: 7 },
    actions: ['dismiss', 'close'],
    hasMeasures: true,
    hasRefunds: true,
    hasReplies: true,
    isReopenable: true,
  },
  appeal: { queue: 'appeals', deadline: { businessDays: 7 }, actions: ['uphold', 'overturn'], hasMeasures: false },
  contact: {
    queue: 'support',
    deadline: { businessDays: 2 },
    actions: ['close', 'dismiss'],
    hasMeasures: false,
    hasRefunds: true,
    hasReplies: true,
    isReopenable: true,
  },
  ticket: {
    queue: 'support',
    deadline: { businessDays: 2 },
    actions: ['close', 'dismiss'],
    hasMeasures: false,
    hasRefunds: true,
    hasReplies: true,
    isReopenable: true,
  },
  copyright: {
    queue: 'copyright',
    deadline: { businessDays: COPYRIGHT_LIMITS.noticeDays },
    actions: ['dismiss', 'close'],
    hasMeasures: true,
    // Hidden content stays available to its buyers, which does not satisfy a notice.
    contentActions: ['remove'],
    hasReplies: true,
    isReopenable: true,
  },
  counter: {
    queue: 'copyright',
    deadline: { businessDays: COPYRIGHT_LIMITS.restoreByDays },
    actions: ['restore', 'staysDown', 'dismiss'],
    hasMeasures: false,
  },
};

const USER_ACTIONS: readonly CaseAction[] = ['warn', 'limitChat', 'limitPosting', 'limitPayouts', 'suspend', 'block'];
const CONTENT_ACTIONS: readonly CaseAction[] = ['hide', 'remove'];

const HOUR_MS = 60 * 60_000;

/**
 * A copyright notice affects one user's copies only. Another owner may be the claimant, and each can respond
 * separately.
 */
export const affectsOneUser = (kind: CaseKind): boolean => kind === 'copyright';

/** These outcomes involve no measure. */
export const ENDING_ACTIONS: readonly CaseAction[] = ['dismiss', 'close'];

function calculateDueDate(deadline: DeadlineRule, from: Date): Date {
  return 'hours' in deadline
    ? new Date(from.getTime() + deadline.hours * HOUR_MS)
    : addBusinessDays(from, deadline.businessDays);
}

/**
 * An unproven appeal has the deadline of a contact message, so that its status does not reveal that the account of the
 * address is blocked.
 */
export function getDueDate(kind: CaseKind, { isUnverified, at }: { isUnverified: boolean; at: Date }): Date {
  return calculateDueDate(CASE_KIND_RULES[isUnverified && kind === 'appeal' ? 'contact' : kind].deadline, at);
}

export function listCaseActions(
  kind: CaseKind,
  situation: {
    state: CaseState;
    subject: ReportSubject | null;
    hasUser: boolean;
    canRefund: boolean;
    hasParts: boolean;
  },
): readonly CaseAction[] {
  const { hasMeasures, contentActions = CONTENT_ACTIONS } = CASE_KIND_RULES[kind];
  // A counter-notice cannot be restored while it waits for the claimant.
  const kindActions = CASE_KIND_RULES[kind].actions.filter(
    (action) => action !== 'restore' || situation.state === 'open',
  );
  const actions: CaseAction[] = [...kindActions, ...(situation.canRefund ? (['refund'] as const) : [])];
  if (!hasMeasures || !situation.hasUser) return actions;
  const hasContent = situation.subject === 'post' || situation.subject === 'message';
  const canRemoveParts = situation.subject === 'profile' && situation.hasParts && contentActions.includes('remove');
  return [
    ...actions,
    ...USER_ACTIONS,
    ...(hasContent ? contentActions : []),
    ...(canRemoveParts ? (['remove'] as const) : []),
  ];
}
