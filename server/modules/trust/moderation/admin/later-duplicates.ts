/**
 * Copies uploaded after a removal are taken down too, after a copyright notice only those of the same user. The owner
 * is notified, and a case about the uploader is opened.
 */

import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import type { Context } from '../../../../platform/context.ts';
import type { DbTransaction, SqlStatement } from '../../../../platform/database/db.ts';
import { listMediaCopies, setMediaTakenDown } from '../../../content/media/index.ts';
import { findUser } from '../../../identity/accounts/index.ts';
import { logAction } from '../../../identity/audit-log/index.ts';
import { accessSubject } from '../report-subjects.ts';
import { addEntry, listEntries, openCase } from '../store.ts';
import * as texts from '../texts.ts';
import { notifyOwners } from './duplicates.ts';
import { STAFF_SENDER } from './open-case.ts';

type RemovalRow = { reference: string; kind: string; user_id: string | null; reason: string };
const LIST_REMOVALS: SqlStatement = {
  name: 'moderation-holding-copies',
  text: `select c.reference, c.kind, d.user_id, d.reason from case_decisions d join cases c on c.id = d.case_id
    where d.action = 'remove' and d.undone_at is null and d.undo -> 'mediaIds' ?| $1::text[] order by d.id`,
};

/** Adds one note per removal while the case is open. */
async function openDuplicateCase(
  ctx: Context,
  tx: DbTransaction,
  userId: string,
  { reference }: RemovalRow,
): Promise<void> {
  const { title, snapshot } = await accessSubject({ db: tx }, undefined, { subject: 'profile', id: userId });
  const about = { subject: 'profile' as const, subjectId: userId, userId, snapshot };
  const newCase = {
    kind: 'report' as const,
    title: formatText(texts.removedFileUploadedAgain, { title }),
    from: STAFF_SENDER,
    about,
  };
  const { row, isNew } = await openCase(ctx, tx, newCase);
  const body = formatText(texts.duplicateUploadNote, { reference });
  if ((await listEntries(tx, row.id, ['note'])).some((entry) => entry.body === body)) return;
  await addEntry(ctx, tx, row.id, { kind: 'note', byId: null, body });
  await logAction(ctx, tx, {
    ...{ operatorId: null, action: 'case.open', subjectKind: 'case', subjectId: row.id },
    details: { reference: row.reference, copyOf: reference, isNew },
  });
}

export async function handleLaterCopy(
  ctx: Context,
  { mediaId, ownerId }: { mediaId: string; ownerId: string },
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const identical = await listMediaCopies(tx, [mediaId]);
    const removals = await tx.run<RemovalRow>(LIST_REMOVALS, [identical.map(({ id }) => id)]);
    if (removals.length === 0) return;
    const [removal] = removals.filter(({ kind, user_id: userId }) => kind !== 'copyright' || userId === ownerId);
    if (!removal) return setMediaTakenDown(ctx, tx, [mediaId], false);
    const owner = await findUser(tx, ownerId);
    if (!owner || owner.is_erasing) return;
    await notifyOwners(ctx, tx, [ownerId], { reason: removal.reason, isRestored: false });
    if (owner.type !== 'operator') await openDuplicateCase(ctx, tx, ownerId, removal);
  });
}
