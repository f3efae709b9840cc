import { adminCallPath, adminPostPath } from '@stagedoor/contract/admin/addresses.ts';
import type { getCase } from '@stagedoor/contract/admin/cases.ts';
import { getAdminCall, getAdminPost } from '@stagedoor/contract/admin/content.ts';
import { canOperatorCallRoute } from '@stagedoor/contract/admin/operator-rights.ts';
import { postPath, profilePath } from '@stagedoor/contract/shared/addresses.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { CASE_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { RESTRICTED_ACTIVITIES } from '@stagedoor/contract/shared/restrictions.ts';
import type { ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import { ENTRY_KINDS, MEASURES } from '@stagedoor/contract/trust/case-kinds.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../../platform/context.ts';
import type { Executor, SqlStatement } from '../../../../platform/database/db.ts';
import type { Actor } from '../../../../platform/security/session.ts';
import { listProfileParts, loadProfileContent } from '../../../content/profiles/index.ts';
import { findUser, findUserSummaries, getRestrictions, toAvatarUrl } from '../../../identity/accounts/index.ts';
import { listPendingApprovals } from '../../../identity/approvals/index.ts';
import { logAction } from '../../../identity/audit-log/index.ts';
import {
  type CaseContext,
  findDecisionObstacle,
  findReopenObstacle,
  listAllowedActions,
  requireReadAccess,
} from '../access.ts';
import { getAppealDeadline } from '../appeals.ts';
import { getCopyrightHook } from '../copyright-hook.ts';
import { loadPictures } from '../pictures.ts';
import { type CaseRow, type EntryRow, findCase, findDecision, listEntries } from '../store.ts';
import { findContent, isPrivateText } from './content.ts';
import { findKnownCopies } from './duplicates.ts';
import { grantEvidenceAccessOnce } from './evidence-access.ts';
import { CASE_COLUMNS, type DecisionWithCase, presentDecisions, presentInboxCases } from './present.ts';
import { findPurchases, presentPurchases } from './refunds.ts';

const entryKindSchema = z.enum(ENTRY_KINDS);
type CaseView = ResponseInputOf<typeof getCase>;
type EntryView = CaseView['entries'][number];
type UserStatusView = NonNullable<CaseView['about']>;

export async function loadCaseContext(
  db: Executor,
  row: CaseRow,
  options: { includedIds?: readonly string[] | undefined } = {},
): Promise<CaseContext> {
  const { user_id: userId } = row;
  const [user, appealedDecision, { purchases, count: purchaseCount }, shownProfile] = await Promise.all([
    userId === null ? undefined : findUser(db, userId),
    row.decision_id === null ? undefined : findDecision(db, row.decision_id),
    findPurchases(db, row, options),
    userId !== null && row.subject === 'profile' ? loadProfileContent(db, userId) : undefined,
  ]);
  return {
    row,
    user,
    appealedDecision,
    purchases,
    purchaseCount,
    parts: shownProfile && !user?.is_erasing ? listProfileParts(shownProfile) : [],
  };
}

const COUNT_CASES: SqlStatement = {
  name: 'moderation-count-by-user',
  text: `with about as (select outcome from cases where user_id = $1 and state = 'closed' order by id desc limit $3),
      made as (select c.outcome from case_entries e join cases c on c.id = e.case_id where e.by_id = $1 and e.kind = 'report' order by e.at desc limit $3)
    select (select count(*)::int from about) as cases, (select count(*)::int from about where outcome = any ($2::text[])) as upheld,
      (select count(*)::int from made) as reports, (select count(*)::int from made where outcome = any ($2::text[])) as "upheldReports"`,
};

async function getUserStatus(ctx: Context, userId: string | null): Promise<UserStatusView | null> {
  const user = userId === null ? undefined : await findUser(ctx.db, userId);
  if (!user) return null;
  type CaseCounts = { cases: number; upheld: number; reports: number; upheldReports: number };
  const [counts] = await ctx.db.run<CaseCounts>(COUNT_CASES, [user.id, MEASURES, CASE_LIMITS.countMax]);
  const restrictions = getRestrictions(user);
  const now = ctx.clock.now().toISOString();
  return {
    id: user.id,
    username: user.username,
    name: user.name,
    type: user.type,
    avatarUrl: toAvatarUrl(user.avatar_key),
    since: user.created_at.toISOString(),
    isBlocked: user.is_blocked,
    blockedUntil: user.blocked_until?.toISOString() ?? null,
    restrictions: RESTRICTED_ACTIVITIES.flatMap((activity) => {
      const until = restrictions[activity];
      return until !== undefined && until > now ? [{ activity, until }] : [];
    }),
    cases: counts?.cases ?? 0,
    upheldCases: counts?.upheld ?? 0,
    reports: counts?.reports ?? 0,
    upheldReports: counts?.upheldReports ?? 0,
  };
}

async function presentEntries(db: Executor, rows: readonly EntryRow[]): Promise<EntryView[]> {
  const [usersById, pictures] = await Promise.all([
    findUserSummaries(
      db,
      rows.flatMap(({ by_id: id, member_id: memberId }) => [id ?? [], memberId ?? []].flat()),
    ),
    loadPictures(
      db,
      rows.map(({ id }) => id),
    ),
  ]);
  return rows.map(({ id, at, kind, by_id: byId, member_id: memberId, body }) => {
    const author = usersById.get(byId ?? '');
    return {
      id,
      at: at.toISOString(),
      kind: z.parse(entryKindSchema, kind),
      author: author?.username ?? null,
      authorId: author && author.type !== 'operator' ? author.id : null,
      member: usersById.get(memberId ?? '')?.username ?? null,
      text: body,
      pictures: pictures.get(id) ?? [],
    };
  });
}

const MAX_EARLIER = 10;

export function selectDecisions(db: Executor, column: 'd.case_id' | 'd.user_id' | 'd.id', id: string) {
  return db.query
    .selectFrom('case_decisions as d')
    .innerJoin('cases as c', 'c.id', 'd.case_id')
    .selectAll('d')
    .select(CASE_COLUMNS)
    .where(column, '=', id)
    .orderBy('d.id', 'desc');
}

async function listEarlierDecisions(db: Executor, row: CaseRow): Promise<DecisionWithCase[]> {
  if (row.user_id === null) return [];
  return selectDecisions(db, 'd.user_id', row.user_id).where('d.case_id', '!=', row.id).limit(MAX_EARLIER).execute();
}

function getSubjectHref({ subject, subject_id: id }: CaseRow, about: UserStatusView | null): string | null {
  if (subject === 'post' && id !== null) return postPath(id);
  return subject === 'profile' && about?.type === 'creator' ? profilePath(about.username) : null;
}

function getAdminHref({ subject, subject_id: id }: CaseRow, { roles = [] }: Actor): string | null {
  if (id === null) return null;
  if (subject === 'post') return canOperatorCallRoute(roles, getAdminPost) ? adminPostPath(id) : null;
  return subject === 'call' && canOperatorCallRoute(roles, getAdminCall) ? adminCallPath(id) : null;
}

/** Logs once an hour that an operator read contact details, whichever response contained them. */
async function logReading(ctx: Context, { userId: operatorId }: Actor, { id, reference }: CaseRow): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    if (await grantEvidenceAccessOnce(ctx, tx, operatorId, id)) return;
    await logAction(ctx, tx, {
      ...{ operatorId, action: 'case.read', subjectKind: 'case', subjectId: id },
      details: { reference },
    });
  });
}

/** Returns the case as the operator may see it. Throws NOT_FOUND. */
export async function getCaseView(ctx: Context, actor: Actor, id: string): Promise<CaseView> {
  const row = await findCase(ctx.db, id);
  if (!row) throw new AppError('NOT_FOUND');
  const { db } = ctx;
  await requireReadAccess(db, actor, row);
  const [[summary], context, about, fromUser, entries, ownDecisions, earlierRows, content] = await Promise.all([
    presentInboxCases(db, [row], ctx.clock.now()),
    loadCaseContext(db, row),
    getUserStatus(ctx, row.user_id),
    getUserStatus(ctx, row.from_id),
    listEntries(db, id),
    selectDecisions(db, 'd.case_id', id).execute(),
    listEarlierDecisions(db, row),
    findContent(db, row),
  ]);
  if (!summary) throw new AppError('NOT_FOUND');
  const appealedRows = context.appealedDecision
    ? await selectDecisions(db, 'd.id', context.appealedDecision.id).execute()
    : [];
  const [decisions, earlierDecisions, [appealedDecision = null]] = await Promise.all([
    presentDecisions(db, actor, ownDecisions),
    presentDecisions(db, actor, earlierRows),
    presentDecisions(db, actor, appealedRows),
  ]);
  const [presented, purchases, pendingApprovals] = await Promise.all([
    presentEntries(db, entries),
    presentPurchases(db, context.purchases),
    listPendingApprovals(ctx, 'refund', [row.id]),
  ]);
  const copyright = await getCopyrightHook(ctx).loadCaseView(
    ctx,
    row,
    ownDecisions.map((decision) => decision.id),
  );
  if (copyright.notice !== null || copyright.counter !== null) await logReading(ctx, actor, row);
  const copies = await findKnownCopies(db, content?.mediaIds ?? []);
  return {
    ...summary,
    changedAt: row.changed_at.toISOString(),
    details: presented[0]?.text ?? '',
    fromUser,
    fromEmail: row.from_email,
    isUnverified: row.is_sender_unverified && row.from_email !== '',
    where: row.content_address,
    about,
    subjectHref: getSubjectHref(row, about),
    adminHref: getAdminHref(row, actor),
    snapshot: row.snapshot.filter((entry) => !isPrivateText(row, entry)),
    hasContent: content !== undefined,
    isDeleted:
      row.subject_id !== null &&
      (content === undefined ? row.subject === 'post' || row.subject === 'message' : content.isDeleted),
    copies: copies.count,
    copyOwners: copies.ownerUsernames,
    parts: [...context.parts],
    entries: presented,
    decisions,
    earlierDecisions,
    appealedDecision,
    purchases,
    purchaseCount: context.purchaseCount,
    pendingApproval: pendingApprovals.get(row.id) ?? null,
    allowedActions: listAllowedActions(actor, context).filter(
      (action) => action !== 'refund' || !pendingApprovals.has(row.id),
    ),
    canReopen: row.state === 'closed' && findReopenObstacle(actor, context) === undefined,
    blockedReason: (row.state !== 'closed' && findDecisionObstacle(actor, context)) || null,
    appealBy: getAppealDeadline(ctx.clock.now()).toISOString(),
    ...copyright,
  };
}
