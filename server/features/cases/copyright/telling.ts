import { CASE_PATHS, statusPath } from '@stagedoor/contract/case-addresses.ts';
import { type CaseAct, CLOSED_OTHERWISE_WORDS, RESTORED_WORDS } from '@stagedoor/contract/case-kinds.ts';
import type { Context } from '../../../kernel/context.ts';
import type { Transaction } from '../../../kernel/db.ts';
import type { Mail } from '../../../kernel/mail.ts';
import { findUser } from '../../accounts/index.ts';
import { addEntry, type CaseRow, changeCase, type DecisionRow, lockCase } from '../store.ts';
import { sideMail } from './mails.ts';
import { type Claim, claimsOf, countersOf, findCounter } from './store.ts';

/** Notifies the claimant. `mail` replaces the default mail. */
export async function tellClaimant(
  ctx: Context,
  tx: Transaction,
  claim: Claim,
  { words, mail }: { words: string; mail?: Mail },
): Promise<void> {
  await addEntry(ctx, tx, claim.case_id, { kind: 'reply', byId: null, body: words });
  const url = `${ctx.config.publicUrl}${statusPath(CASE_PATHS.copyrightNotice, claim.reference)}`;
  if (claim.email !== '') await ctx.mailer.send(tx, mail ?? sideMail(claim, claim.reference, words, url));
  if (claim.from_id !== null)
    await tx.emit('case.answered', { userIds: [claim.from_id], caseId: claim.case_id, note: 'mailed' });
}

const TO_CREATOR: Readonly<Partial<Record<CaseAct, string>>> = {
  staysDown: 'Your counter-notice is closed: the claimant filed a court action. The content stays down for now.',
  dismiss: 'We declined your counter-notice. You can send another one.',
};
const TO_CLAIMANT: Readonly<Partial<Record<CaseAct, string>>> = {
  restore: RESTORED_WORDS,
  staysDown: 'We’ve recorded your court action. The removed content stays down.',
  dismiss: 'The counter-notice was declined. The removed content stays down.',
};

/** After a restoration, the reversal of the decision notifies the uploader instead. */
export async function tellSides(
  ctx: Context,
  tx: Transaction,
  row: CaseRow,
  { act, ground }: { act: CaseAct; ground: string },
): Promise<void> {
  const counter = await findCounter(tx, row.id);
  const claim = counter && (await claimsOf(tx, [counter.notice_case_id])).get(counter.notice_case_id);
  const claimant = TO_CLAIMANT[act];
  if (claim && claimant !== undefined) await tellClaimant(ctx, tx, claim, { words: `${claimant} (${row.reference})` });
  const words = TO_CREATOR[act];
  const person = row.from_id === null ? undefined : await findUser(tx, row.from_id);
  if (words === undefined || !person) return;
  const url = `${ctx.config.publicUrl}${CASE_PATHS.creatorHelpdesk}#decisions`;
  await ctx.mailer.send(
    tx,
    sideMail({ name: person.username, email: person.email }, row.reference, `${words}\n\n${ground}`, url),
  );
  await tx.emit('case.answered', { userIds: [person.id], caseId: row.id, note: 'mailed' });
}

/** The removal was reversed in another way, so a waiting counter-notice is closed. */
export async function tellTakenBack(ctx: Context, tx: Transaction, undone: DecisionRow, ground: string): Promise<void> {
  const claim = (await claimsOf(tx, [undone.case_id])).get(undone.case_id);
  if (!claim || undone.act !== 'remove') return;
  await tellClaimant(ctx, tx, claim, {
    words: `The content we removed after your notice has been restored.\n\n${ground}`,
  });
  for (const { id } of await countersOf(tx, [undone.id])) {
    const row = await lockCase(tx, id);
    if (!row || row.state === 'closed') continue;
    const at = ctx.clock.now();
    await addEntry(ctx, tx, id, { kind: 'note', byId: null, body: CLOSED_OTHERWISE_WORDS });
    await changeCase(tx, id, { state: 'closed', closed_at: at, changed_at: at, outcome: 'restore' });
  }
}
