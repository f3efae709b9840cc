/**
 * Counter-notices (17 U.S.C. 512(g)) are forwarded to the claimant at once and wait ten business days. The content is
 * restored by the fourteenth unless the claimant went to court.
 */

import { addBusinessDays } from '@stagedoor/contract/finance/business-days.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { COPYRIGHT_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import type { BodyOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import { CASE_PATHS } from '@stagedoor/contract/trust/case-addresses.ts';
import type { submitCounterNotice } from '@stagedoor/contract/trust/copyright.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction, SqlStatement } from '../../../platform/database/db.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { requireUser } from '../../identity/accounts/index.ts';
import {
  addEntry,
  type CaseDecisionRow,
  findDecision,
  lockCase,
  openCase,
  openWaitingCases,
  restoreAfterDeadline,
  updateCase,
} from '../moderation/index.ts';
import { createCounterNoticeMail, createPartyMail } from './mails.ts';
import { notifyClaimant } from './notify.ts';
import { type Claim, findClaims, listCounterNotices } from './store.ts';
import * as texts from './texts.ts';

type CounterNoticeBody = BodyOf<typeof submitCounterNotice>;
type CounterNoticeAuthor = Pick<Actor, 'userId' | 'username'>;

async function openCounterNotice(
  ctx: Context,
  tx: DbTransaction,
  {
    actor,
    decision,
    claim,
    body,
  }: { actor: CounterNoticeAuthor; decision: CaseDecisionRow; claim: Claim; body: CounterNoticeBody },
) {
  const { name, address, telephone, signature, statement } = body;
  const { email } = await requireUser(tx, actor.userId);
  const { row } = await openCase(ctx, tx, {
    kind: 'counter',
    title: formatText(texts.counterNoticeCaseTitle, {
      reference: claim.reference,
      titleSuffix: decision.title === '' ? '' : `: ${decision.title}`,
    }),
    from: { id: actor.userId, name, email },
    about: {
      subject: decision.subject === 'post' ? 'post' : null,
      subjectId: decision.subject === 'post' ? decision.subject_id : null,
      userId: actor.userId,
      snapshot: [],
    },
    contentAddress: claim.content_address,
    decisionId: decision.id,
  });
  await addEntry(ctx, tx, row.id, { kind: 'message', byId: actor.userId, body: statement });
  const counter = {
    ...{ case_id: row.id, notice_case_id: decision.case_id, user_id: actor.userId, at: row.opened_at },
    restore_from: addBusinessDays(row.opened_at, COPYRIGHT_LIMITS.restoreFromDays),
    ...{ name, address, telephone, signature },
  };
  await tx.query.insertInto('copyright_counter_notices').values(counter).execute();
  await updateCase(tx, row.id, { state: 'waiting' });
  await notifyClaimant(ctx, tx, claim, {
    message: formatText(texts.counterNoticeReceivedClaimant, { reference: row.reference }),
    mail: createCounterNoticeMail(
      claim,
      { ...counter, reference: row.reference, contentAddress: claim.content_address, statement, due_at: row.due_at },
      ctx.config.publicUrl,
    ),
  });
  const receiptText = formatText(texts.counterNoticeReceipt, { claimantName: claim.name });
  const url = `${ctx.config.publicUrl}${CASE_PATHS.creatorHelpdesk}#decisions`;
  await ctx.mailer.send(tx, createPartyMail({ name: actor.username, email }, row.reference, receiptText, url));
  return { row, counter };
}

/**
 * Accepts a counter-notice. Throws NOT_FOUND for decisions about other users, CONFLICT if it was no copyright removal,
 * was reversed, or already has a counter-notice.
 */
export async function acceptCounterNotice(
  ctx: Context,
  actor: CounterNoticeAuthor,
  decisionId: string,
  body: CounterNoticeBody,
): Promise<ResponseInputOf<typeof submitCounterNotice>> {
  const unsafe = await findDecision(ctx.db, decisionId);
  if (!unsafe || unsafe.user_id !== actor.userId) throw new AppError('NOT_FOUND');
  const { row, counter } = await ctx.db.transaction(async (tx) => {
    // Concurrent requests wait here for the first.
    await lockCase(tx, unsafe.case_id);
    const decision = await findDecision(tx, decisionId);
    const claim = (await findClaims(tx, [unsafe.case_id])).get(unsafe.case_id);
    if (!decision || !claim || decision.action !== 'remove')
      throw new AppError('CONFLICT', { message: texts.nothingRemovedForCopyright });
    // The claimant's address is deleted after some years.
    if (claim.email === '') throw new AppError('CONFLICT', { message: texts.deadlineHasPassed });
    if (decision.undone_at !== null) throw new AppError('CONFLICT', { message: texts.alreadyReversed });
    if ((await listCounterNotices(tx, [decisionId])).some(({ outcome }) => outcome !== 'dismiss'))
      throw new AppError('CONFLICT', { message: texts.counterNoticeAlreadySent });
    return openCounterNotice(ctx, tx, { actor, decision, claim, body });
  });
  return {
    success: true,
    reference: row.reference,
    message: formatText(texts.counterNoticeForwarded, { reference: row.reference }),
    restoreFrom: counter.restore_from.toISOString(),
    restoreBy: row.due_at.toISOString(),
  };
}

const LIST_RESTORABLE: SqlStatement = {
  name: 'copyright-list-restorable',
  text: `select c.id from copyright_counter_notices k join cases c on c.id = k.case_id
    where c.kind = 'counter' and c.state = 'waiting' and k.restore_from <= $1`,
};
const LIST_OVERDUE: SqlStatement = {
  name: 'copyright-list-overdue',
  text: `select id from cases where kind = 'counter' and state <> 'closed' and due_at <= $1 order by due_at limit 100`,
};
/** Content is restored this long before the deadline, so that a delay does not miss it. */
const LEAD_MS = 60 * 60_000;

/** Opens counter-notices after ten days and completes them after fourteen. */
export async function processDueCounterNotices(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  const restorable = await ctx.db.run<{ id: string }>(LIST_RESTORABLE, [now]);
  await openWaitingCases(
    ctx,
    restorable.map(({ id }) => id),
  );
  const overdue = await ctx.db.run<{ id: string }>(LIST_OVERDUE, [new Date(now.getTime() + LEAD_MS)]);
  for (const { id } of overdue) await restoreAfterDeadline(ctx, id);
}
