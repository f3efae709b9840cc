/** Reporters learn whether action was taken, others get a reply. */

import type { decideCase } from '@stagedoor/contract/admin/cases.ts';
import type { BodyOf } from '@stagedoor/contract/shared/route.ts';
import { isMeasure } from '@stagedoor/contract/trust/case-kinds.ts';
import type { Context } from '../../../../platform/context.ts';
import type { DbTransaction } from '../../../../platform/database/db.ts';
import { findUser, requireUser } from '../../../identity/accounts/index.ts';
import { getCopyrightHook } from '../copyright-hook.ts';
import type { CaseNote } from '../events.ts';
import { createReplyMail, getFollowPath } from '../mails.ts';
import { addEntry, type CaseRow } from '../store.ts';
import * as texts from '../texts.ts';

const REMOVED_MESSAGE = texts.copyrightClaimUpheld;
const ACTED_MESSAGE = texts.reportActionConfirmation;

async function listWriterIds(tx: DbTransaction, caseId: string, kind: 'report' | 'message'): Promise<string[]> {
  const rows = await tx.query
    .selectFrom('case_entries')
    .select('by_id')
    .distinct()
    .where('case_id', '=', caseId)
    .where('kind', '=', kind)
    .execute();
  return rows.flatMap(({ by_id: id }) => id ?? []);
}

/** Does nothing if the case has no address. */
async function mailReply(ctx: Context, tx: DbTransaction, row: CaseRow, text: string): Promise<void> {
  if (row.from_email === '') return;
  const writer = row.kind === 'ticket' && row.from_id !== null ? await findUser(tx, row.from_id) : undefined;
  const mail = createReplyMail(row, `${ctx.config.publicUrl}${getFollowPath(row, writer?.type)}`, text);
  await ctx.mailer.send(tx, { ...mail, isEssential: !writer });
}

export async function sendReply(
  ctx: Context,
  tx: DbTransaction,
  row: CaseRow,
  text: string,
  byId: string | null,
): Promise<void> {
  await addEntry(ctx, tx, row.id, { kind: 'reply', byId, body: text });
  await mailReply(ctx, tx, row, text);
  if (row.from_id !== null)
    await tx.emit('case.answered', {
      userIds: [row.from_id],
      caseId: row.id,
      note: row.kind === 'ticket' ? 'answered' : 'mailed',
    });
}

export async function notifyWriters(
  ctx: Context,
  tx: DbTransaction,
  row: CaseRow,
  { action, reason }: BodyOf<typeof decideCase>,
  /** True if they or other writers were refunded before. */
  wasRefunded: boolean,
): Promise<void> {
  const emitAnswered = async (userIds: string[], note: CaseNote) => {
    if (userIds.length > 0) await tx.emit('case.answered', { userIds, caseId: row.id, note });
  };
  if (row.kind === 'report')
    return emitAnswered(
      await listWriterIds(tx, row.id, 'report'),
      isMeasure(action) || wasRefunded ? 'acted' : 'nothing',
    );
  if (row.kind === 'complaint') return sendReply(ctx, tx, row, isMeasure(action) ? ACTED_MESSAGE : reason, null);
  if (row.kind === 'copyright')
    return sendReply(
      ctx,
      tx,
      row,
      action === 'remove' ? REMOVED_MESSAGE : isMeasure(action) ? ACTED_MESSAGE : reason,
      null,
    );
  if (row.kind === 'counter') return getCopyrightHook(ctx).onCounterNoticeDecided(ctx, tx, row, { action, reason });
  if (row.kind === 'appeal') {
    await mailReply(ctx, tx, row, reason);
    const others = (await listWriterIds(tx, row.id, 'message')).filter((id) => id !== row.from_id);
    for (const id of others) {
      const { username: from_name, email: from_email } = await requireUser(tx, id);
      await mailReply(ctx, tx, { ...row, from_name, from_email }, reason);
    }
    const writerIds = row.from_id === null ? others : [row.from_id, ...others];
    return emitAnswered(writerIds, action === 'overturn' ? 'overturned' : 'upheld');
  }
  // Dismissed messages are spam and get no reply.
  if (action === 'close') return sendReply(ctx, tx, row, reason, null);
}

const REOPENED_MESSAGE = texts.reportReopenedNotice;

/** Notifies writers that the case is open again. If it was dismissed without a reply, nothing is sent. */
export async function notifyReopened(ctx: Context, tx: DbTransaction, row: CaseRow): Promise<void> {
  if (row.kind === 'report') {
    const userIds = await listWriterIds(tx, row.id, 'report');
    if (userIds.length > 0) await tx.emit('case.answered', { userIds, caseId: row.id, note: 'again' });
    return;
  }
  const wasAnswered = row.outcome === 'close' || row.kind === 'complaint' || row.kind === 'copyright';
  if (wasAnswered) await sendReply(ctx, tx, row, REOPENED_MESSAGE, null);
}
