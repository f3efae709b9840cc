import { randomUUID } from 'node:crypto';
import { sessionId, userId } from '@stagedoor/contract/shared/ids.ts';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import type { Actor } from '../../../platform/security/session.ts';
import {
  type CaseContext,
  canUndoDecision,
  findDecisionObstacle,
  findReopenObstacle,
  listAllowedActions,
  requireCanDecide,
} from './access.ts';
import type { CaseDecisionRow, CaseRow } from './store.ts';
import * as texts from './texts.ts';

const NOON = new Date('2026-03-04T12:00:00Z');
const [REPORTER, REPORTED] = [randomUUID(), randomUUID()];

const createOperator = (...roles: NonNullable<Actor['roles']>): Actor => ({
  userId: z.parse(userId, randomUUID()),
  sessionId: z.parse(sessionId, randomUUID()),
  ...{ type: 'operator', username: 'nina', isBlocked: false, hasSecondFactor: true, loggedInAt: NOON, roles },
});
const MODERATOR = createOperator('moderator');
const SUPPORT = createOperator('support');
const FINANCE = createOperator('finance');

const createRow = (change: Partial<CaseRow> = {}): CaseRow => ({
  ...{ id: randomUUID(), kind: 'report', queue: 'reports', state: 'open', outcome: null, reference: 'SD-0000-0000' },
  ...{ from_id: REPORTER, from_email: '', from_name: '', is_sender_unverified: false, user_id: REPORTED },
  ...{ subject: 'post', subject_id: randomUUID(), content_address: '', snapshot: [], title: 'Report', report_count: 1 },
  ...{ assigned_to: null, decision_id: null, opened_at: NOON, changed_at: NOON, due_at: NOON, closed_at: null },
  ...change,
});
const createContext = (row: Partial<CaseRow> = {}, more: Partial<CaseContext> = {}): CaseContext => ({
  ...{ row: createRow(row), user: { id: REPORTED, type: 'creator' }, appealedDecision: undefined },
  ...{ purchases: [], purchaseCount: 0, parts: [], ...more },
});
const createDecision = (change: Partial<CaseDecisionRow> = {}): CaseDecisionRow => ({
  ...{ id: randomUUID(), case_id: randomUUID(), operator_id: randomUUID(), action: 'warn', reason: '', title: '' },
  ...{ subject: null, subject_id: null, user_id: REPORTED, at: NOON, until: null },
  ...{ undo: null, undo_reason: null, undone_at: null, undone_by: null, ...change },
});
const decide = (actor: Actor, context: CaseContext, action: Parameters<typeof requireCanDecide>[2]) => {
  try {
    requireCanDecide(actor, context, action);
    return undefined;
  } catch (error) {
    return error;
  }
};

describe('an operator', () => {
  it('does not decide a case that they opened, that is about them or about staff', () => {
    const own = createContext({ from_id: MODERATOR.userId });
    const about = createContext({}, { user: { id: MODERATOR.userId, type: 'creator' } });
    const staff = createContext({}, { user: { id: REPORTED, type: 'operator' } });
    expect([own, about, staff].map((context) => findDecisionObstacle(MODERATOR, context))).toEqual([
      texts.ownCaseDecisionError,
      texts.caseAboutYouError,
      texts.caseAboutStaffError,
    ]);
    for (const context of [own, about, staff]) {
      expect(listAllowedActions(MODERATOR, context)).toEqual([]);
      expect(decide(MODERATOR, context, 'dismiss')).toMatchObject({ code: 'FORBIDDEN' });
      expect(
        findReopenObstacle(MODERATOR, { ...context, row: createRow({ state: 'closed', outcome: 'dismiss' }) }),
      ).toBe(context === own ? undefined : findDecisionObstacle(MODERATOR, context));
    }
    expect(findDecisionObstacle(MODERATOR, createContext())).toBeUndefined();
    expect(findDecisionObstacle(MODERATOR, createContext({}, { user: undefined }))).toBeUndefined();
  });

  it('does not decide an appeal against their own decision', () => {
    const appealOf = (operatorId: string) =>
      createContext(
        { kind: 'appeal', queue: 'appeals' },
        { appealedDecision: createDecision({ operator_id: operatorId }) },
      );
    expect(findDecisionObstacle(MODERATOR, appealOf(MODERATOR.userId))).toBe(texts.ownDecisionAppealError);
    expect(findDecisionObstacle(MODERATOR, appealOf(randomUUID()))).toBeUndefined();
    expect(listAllowedActions(MODERATOR, appealOf(randomUUID()))).toEqual(['uphold', 'overturn']);
    const report = createContext({}, { appealedDecision: createDecision({ operator_id: MODERATOR.userId }) });
    expect(findDecisionObstacle(MODERATOR, report)).toBeUndefined();
  });

  it('is offered only the actions of their roles', () => {
    const report = createContext();
    const measures = ['warn', 'limitChat', 'limitPosting', 'limitPayouts', 'suspend', 'block'];
    expect(listAllowedActions(MODERATOR, report)).toEqual(['dismiss', ...measures, 'hide', 'remove']);
    expect(findDecisionObstacle(SUPPORT, report)).toBe(texts.rolesDisallowDecisionError);
    expect(listAllowedActions(SUPPORT, report)).toEqual([]);
    expect(listAllowedActions(SUPPORT, createContext({ kind: 'contact', queue: 'support' }))).toEqual([
      'close',
      'dismiss',
    ]);
    const { roles: _, ...withoutRoles } = MODERATOR;
    expect(findDecisionObstacle(withoutRoles, report)).toBe(texts.rolesDisallowDecisionError);
  });

  it('sees no missing roles at a closed case', () => {
    expect(findDecisionObstacle(SUPPORT, createContext({ state: 'closed', outcome: 'dismiss' }))).toBeUndefined();
  });

  it('removes parts of a profile only if there are any', () => {
    const profile = { subject: 'profile' as const };
    expect(listAllowedActions(MODERATOR, createContext(profile))).not.toContain('remove');
    expect(listAllowedActions(MODERATOR, createContext(profile, { parts: ['avatar'] }))).toContain('remove');
  });

  it('takes no measures against an unknown user', () => {
    expect(listAllowedActions(MODERATOR, createContext({}, { user: undefined }))).toEqual(['dismiss']);
  });
});

describe('a decision', () => {
  it('is refused once the case is closed, and for an action that the case does not offer', () => {
    expect(decide(MODERATOR, createContext(), 'warn')).toBeUndefined();
    expect(decide(MODERATOR, createContext({ state: 'closed', outcome: 'dismiss' }), 'warn')).toMatchObject({
      code: 'CONFLICT',
      message: texts.alreadyDecidedBySomeone,
    });
    expect(decide(MODERATOR, createContext(), 'uphold')).toMatchObject({
      code: 'CONFLICT',
      message: texts.actionUnavailableForCase,
    });
  });

  it('to refund belongs to finance, even before other reasons', () => {
    const refusal = { code: 'FORBIDDEN', message: texts.refundsHandledByFinance };
    expect(decide(MODERATOR, createContext({ from_id: MODERATOR.userId }), 'refund')).toMatchObject(refusal);
    const { roles: _, ...withoutRoles } = MODERATOR;
    expect(decide({ ...withoutRoles }, createContext(), 'refund')).toMatchObject(refusal);
    expect(decide(FINANCE, createContext(), 'refund')).toMatchObject({
      code: 'FORBIDDEN',
      message: texts.rolesDisallowDecisionError,
    });
    expect(decide(FINANCE, createContext({ state: 'closed' }), 'refund')).toMatchObject({
      code: 'CONFLICT',
      message: texts.alreadyDecidedBySomeone,
    });
  });
});

describe('a closed case', () => {
  const closed = { state: 'closed' as const, outcome: 'dismiss' };
  const find = (actor: Actor, row: Partial<CaseRow>) => findReopenObstacle(actor, createContext({ ...closed, ...row }));

  it('can be reopened if it ended without a measure, by operators who may end it', () => {
    expect(find(MODERATOR, {})).toBeUndefined();
    expect(find(SUPPORT, { kind: 'contact', queue: 'support', outcome: 'close' })).toBeUndefined();
    for (const [actor, row] of [
      [MODERATOR, { state: 'open' }],
      [MODERATOR, { outcome: 'warn' }],
      [MODERATOR, { outcome: null }],
      [MODERATOR, { kind: 'appeal', queue: 'appeals' }],
      [SUPPORT, {}],
      [FINANCE, {}],
      [MODERATOR, { user_id: MODERATOR.userId }],
    ] as const)
      expect(find(actor, row)).toBe(texts.cannotReopenCase);
    expect(find(MODERATOR, { from_id: MODERATOR.userId })).toBe(texts.ownCaseDecisionError);
  });
});

describe('reversing a decision', () => {
  const open = createRow();
  const closed = createRow({ state: 'closed', outcome: 'dismiss' });

  it('of a measure is for moderators, except about themselves', () => {
    expect(canUndoDecision(MODERATOR, createDecision(), open)).toBe(true);
    expect(canUndoDecision(MODERATOR, createDecision({ user_id: MODERATOR.userId }), open)).toBe(false);
    expect(canUndoDecision(SUPPORT, createDecision(), open)).toBe(false);
    expect(canUndoDecision(FINANCE, createDecision(), open)).toBe(false);
    const { roles: _, ...withoutRoles } = MODERATOR;
    expect(canUndoDecision(withoutRoles, createDecision(), open)).toBe(false);
  });

  it('happens once', () => {
    expect(canUndoDecision(MODERATOR, createDecision({ undone_at: NOON }), open)).toBe(false);
  });

  it('of what ended the case is to reopen it, under the same conditions', () => {
    const dismissal = createDecision({ action: 'dismiss' });
    expect(canUndoDecision(MODERATOR, dismissal, closed)).toBe(true);
    expect(canUndoDecision(SUPPORT, dismissal, closed)).toBe(false);
    expect(canUndoDecision(MODERATOR, dismissal, { ...closed, from_id: MODERATOR.userId })).toBe(false);
    expect(canUndoDecision(MODERATOR, dismissal, open)).toBe(false);
    expect(canUndoDecision(MODERATOR, createDecision({ action: 'uphold' }), { ...closed, outcome: 'uphold' })).toBe(
      false,
    );
  });
});
