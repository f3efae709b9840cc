/** Reports of the same subject are merged into one case (row J2). */

import { createFieldError } from '@stagedoor/contract/shared/errors.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import type { BodyOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import { REPORT_SUBJECT_LABELS } from '@stagedoor/contract/trust/case-kinds.ts';
import type { submitReport } from '@stagedoor/contract/trust/moderation.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { countReport } from './abuse-limits.ts';
import { attachProfile, withProfileCopy } from './profile-snapshots.ts';
import { accessSubject } from './report-subjects.ts';
import { addEntry, openCase, updateCase } from './store.ts';
import * as texts from './texts.ts';

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

async function hasReported(tx: DbTransaction, caseId: string, userId: string): Promise<boolean> {
  const row = await tx.query
    .selectFrom('case_entries')
    .select('id')
    .where('case_id', '=', caseId)
    .where('kind', '=', 'report')
    .where('by_id', '=', userId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Stores a report. Throws VALIDATION, NOT_FOUND for content that the caller may not see, RATE_LIMITED. */
export async function createReport(
  ctx: Context,
  actor: Actor,
  { reportUserId, type, typeId, message }: BodyOf<typeof submitReport>,
): Promise<ResponseInputOf<typeof submitReport>> {
  // A team member is counted under their own account, so that one who floods does not use up the limit of the others.
  const memberId = actor.member?.userId;
  if (reportUserId === actor.userId || reportUserId === memberId)
    throw createFieldError('reportUserId', texts.cannotReportYourself);
  await countReport(ctx, memberId ?? actor.userId);
  const details = await accessSubject(ctx, actor, { subject: type, id: typeId, userId: reportUserId });
  const about = { subject: type, subjectId: typeId, userId: details.userId, snapshot: details.snapshot };
  const from = { id: actor.userId, name: '', email: '' };
  const title = formatText(texts.reportTitle, {
    subject: capitalize(REPORT_SUBJECT_LABELS[type]),
    titleSuffix: details.title === '' ? '' : `: ${details.title}`,
  });
  const reference = await withProfileCopy(ctx, type === 'profile' ? details.userId : undefined, (copy) =>
    ctx.db.transaction(async (tx) => {
      const { row } = await openCase(ctx, tx, { kind: 'report', title, from, about });
      const isFirst = !(await hasReported(tx, row.id, actor.userId));
      await addEntry(ctx, tx, row.id, { kind: 'report', byId: actor.userId, memberId, body: message });
      const changes = { report_count: row.report_count + (isFirst ? 1 : 0), changed_at: ctx.clock.now() };
      await updateCase(tx, row.id, row.state === 'waiting' ? { ...changes, state: 'open' } : changes);
      const isAttached = copy !== undefined && (await attachProfile(tx, row.id, copy));
      return { result: row.reference, isAttached };
    }),
  );
  return { success: true, reference, message: formatText(texts.reportConfirmation, { reference }) };
}
