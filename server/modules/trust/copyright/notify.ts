import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { CASE_PATHS, caseStatusPath } from '@stagedoor/contract/trust/case-addresses.ts';
import { ALREADY_REVERSED_MESSAGE, type CaseAction, RESTORED_MESSAGE } from '@stagedoor/contract/trust/case-kinds.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';
import type { Mail } from '../../../platform/mail.ts';
import { findUser } from '../../identity/accounts/index.ts';
import { addEntry, type CaseDecisionRow, type CaseRow, lockCase, updateCase } from '../moderation/index.ts';
import { createPartyMail } from './mails.ts';
import { type Claim, findClaims, findCounterNotice, listCounterNotices } from './store.ts';
import * as texts from './texts.ts';

/** Notifies the claimant. `mail` replaces the default mail. */
export async function notifyClaimant(
  ctx: Context,
  tx: DbTransaction,
  claim: Claim,
  { message, mail }: { message: string; mail?: Mail },
): Promise<void> {
  await addEntry(ctx, tx, claim.case_id, { kind: 'reply', byId: null, body: message });
  const url = `${ctx.config.publicUrl}${caseStatusPath(CASE_PATHS.copyrightNotice, claim.reference)}`;
  if (claim.email !== '') await ctx.mailer.send(tx, mail ?? createPartyMail(claim, claim.reference, message, url));
  if (claim.from_id !== null)
    await tx.emit('case.answered', { userIds: [claim.from_id], caseId: claim.case_id, note: 'mailed' });
}

const CREATOR_MESSAGES: Readonly<Partial<Record<CaseAction, string>>> = {
  staysDown: texts.counterNoticeClosedByCourt,
  dismiss: texts.counterNoticeDeclinedPoster,
};
const CLAIMANT_MESSAGES: Readonly<Partial<Record<CaseAction, string>>> = {
  restore: RESTORED_MESSAGE,
  staysDown: texts.courtActionRecorded,
  dismiss: texts.counterNoticeDeclinedClaimant,
};

/** After a restoration, the reversal of the decision notifies the uploader instead. */
export async function notifyParties(
  ctx: Context,
  tx: DbTransaction,
  row: CaseRow,
  { action, reason }: { action: CaseAction; reason: string },
): Promise<void> {
  const counter = await findCounterNotice(tx, row.id);
  const claim = counter && (await findClaims(tx, [counter.notice_case_id])).get(counter.notice_case_id);
  const claimantMessage = CLAIMANT_MESSAGES[action];
  if (claim && claimantMessage !== undefined)
    await notifyClaimant(ctx, tx, claim, { message: `${claimantMessage} (${row.reference})` });
  const message = CREATOR_MESSAGES[action];
  const user = row.from_id === null ? undefined : await findUser(tx, row.from_id);
  if (message === undefined || !user) return;
  const url = `${ctx.config.publicUrl}${CASE_PATHS.creatorHelpdesk}#decisions`;
  await ctx.mailer.send(
    tx,
    createPartyMail({ name: user.username, email: user.email }, row.reference, `${message}\n\n${reason}`, url),
  );
  await tx.emit('case.answered', { userIds: [user.id], caseId: row.id, note: 'mailed' });
}

/** The removal was reversed in another way, so a waiting counter-notice is closed. */
export async function notifyReversal(
  ctx: Context,
  tx: DbTransaction,
  undone: CaseDecisionRow,
  reason: string,
): Promise<void> {
  const claim = (await findClaims(tx, [undone.case_id])).get(undone.case_id);
  if (!claim || undone.action !== 'remove') return;
  await notifyClaimant(ctx, tx, claim, {
    message: formatText(texts.contentRestoredClaimant, { reason }),
  });
  for (const { id } of await listCounterNotices(tx, [undone.id])) {
    const row = await lockCase(tx, id);
    if (!row || row.state === 'closed') continue;
    const at = ctx.clock.now();
    await addEntry(ctx, tx, id, { kind: 'note', byId: null, body: ALREADY_REVERSED_MESSAGE });
    await updateCase(tx, id, { state: 'closed', closed_at: at, changed_at: at, outcome: 'restore' });
  }
}
