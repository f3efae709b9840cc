import type { openPostCase } from '@stagedoor/contract/admin/content.ts';
import type { openUserCase } from '@stagedoor/contract/admin/search.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { caseId } from '@stagedoor/contract/shared/ids.ts';
import type { BodyOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../../platform/context.ts';
import type { Actor } from '../../../../platform/security/session.ts';
import { logAction } from '../../../identity/audit-log/index.ts';
import { requireReadAccess } from '../access.ts';
import { attachProfile, withProfileCopy } from '../profile-snapshots.ts';
import { accessSubject, type SubjectDetails } from '../report-subjects.ts';
import { addEntry, type CaseSubject, findCase, openCase } from '../store.ts';
import * as texts from '../texts.ts';

type OpenedCase = ResponseInputOf<typeof openPostCase>;

/** The case has no writer, so neither a refund nor a reply follows. */
export const STAFF_SENDER = { id: null, name: 'staff', email: '' };

async function openOperatorCase(
  ctx: Context,
  actor: Actor,
  {
    details,
    ...input
  }: { details: SubjectDetails; subject: 'post' | 'profile'; subjectId: string; title: string; note: string },
  auditDetails: Record<string, string>,
): Promise<OpenedCase> {
  if (details.userId === actor.userId) throw new AppError('NOT_FOUND');
  const { subject, subjectId, title, note } = input;
  const about: CaseSubject = { subject, subjectId, userId: details.userId, snapshot: details.snapshot };
  return withProfileCopy(ctx, subject === 'profile' ? details.userId : undefined, (copy) =>
    ctx.db.transaction(async (tx) => {
      const { row, isNew } = await openCase(ctx, tx, { kind: 'report', title, from: STAFF_SENDER, about });
      await addEntry(ctx, tx, row.id, { kind: 'note', byId: actor.userId, body: note });
      const isAttached = copy !== undefined && (await attachProfile(tx, row.id, copy));
      await logAction(ctx, tx, {
        ...{ operatorId: actor.userId, action: 'case.open', subjectKind: 'case', subjectId: row.id },
        details: { reference: row.reference, ...auditDetails, isNew },
      });
      return { result: { id: z.parse(caseId, row.id), reference: row.reference, isNew }, isAttached };
    }),
  );
}

/** Opens a case about a post, or adds to its open report. Throws NOT_FOUND. */
export async function openCaseForPost(ctx: Context, actor: Actor, postId: string, reason: string): Promise<OpenedCase> {
  const details = await accessSubject(ctx, actor, { subject: 'post', id: postId });
  const title = formatText(texts.postUnderReview, { titleSuffix: details.title === '' ? '' : `: ${details.title}` });
  return openOperatorCase(
    ctx,
    actor,
    { details, subject: 'post', subjectId: postId, title, note: reason },
    { post: postId, reason },
  );
}

/** Opens a case about a user, or adds to their open report. Throws NOT_FOUND, also for operators. */
export async function openCaseForUser(
  ctx: Context,
  actor: Actor,
  userId: string,
  { reason, sourceCaseId }: BodyOf<typeof openUserCase>,
): Promise<OpenedCase> {
  const details = await accessSubject(ctx, actor, { subject: 'profile', id: userId });
  const sourceCase = sourceCaseId === undefined ? undefined : await findCase(ctx.db, sourceCaseId);
  if (sourceCaseId !== undefined && !sourceCase) throw new AppError('NOT_FOUND');
  if (sourceCase) await requireReadAccess(ctx.db, actor, sourceCase);
  const title = formatText(texts.userUnderReview, { title: details.title });
  const note = sourceCase ? formatText(texts.seenInCaseNote, { reason, reference: sourceCase.reference }) : reason;
  const auditDetails = { user: userId, reason, ...(sourceCase && { sourceCase: sourceCase.reference }) };
  return openOperatorCase(ctx, actor, { details, subject: 'profile', subjectId: userId, title, note }, auditDetails);
}
