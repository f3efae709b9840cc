/** Reporters learn whether action was taken, others get a reply. */
import type { BodyOf } from '@stagedoor/contract/atoms/route.ts';
import { isMeasure } from '@stagedoor/contract/case-kinds.ts';
import type { decideCase } from '@stagedoor/contract/cases-desk.ts';
import type { Context } from '../../../kernel/context.ts';
import type { Transaction } from '../../../kernel/db.ts';
import { requireUser } from '../../accounts/index.ts';
import { mailAnswer } from '../contact.ts';
import { tellSides } from '../copyright/telling.ts';
import type { CaseNote } from '../events.ts';
import { addEntry, type CaseRow } from '../store.ts';

const REMOVED =
  'We removed it and all identical copies. We told the person who posted it that you claim it. If they send a counter-notice, we’ll forward it to you.';
const ACTED = 'Thanks for reporting this. We reviewed it and took action.';

async function writersOf(tx: Transaction, caseId: string, kind: 'report' | 'message'): Promise<string[]> {
  const rows = await tx.query
    .selectFrom('case_entries')
    .select('by_id')
    .distinct()
    .where('case_id', '=', caseId)
    .where('kind', '=', kind)
    .execute();
  return rows.flatMap(({ by_id: id }) => id ?? []);
}

export async function answer(
  ctx: Context,
  tx: Transaction,
  row: CaseRow,
  text: string,
  byId: string | null,
): Promise<void> {
  await addEntry(ctx, tx, row.id, { kind: 'reply', byId, body: text });
  await mailAnswer(ctx, tx, row, text);
  if (row.from_id !== null)
    await tx.emit('case.answered', {
      userIds: [row.from_id],
      caseId: row.id,
      note: row.kind === 'ticket' ? 'answered' : 'mailed',
    });
}

export async function tellWriters(
  ctx: Context,
  tx: Transaction,
  row: CaseRow,
  { act, ground }: BodyOf<typeof decideCase>,
  /** True if they or other writers were refunded before. */
  wasRefunded: boolean,
): Promise<void> {
  const tell = async (userIds: string[], note: CaseNote) => {
    if (userIds.length > 0) await tx.emit('case.answered', { userIds, caseId: row.id, note });
  };
  if (row.kind === 'report')
    return tell(await writersOf(tx, row.id, 'report'), isMeasure(act) || wasRefunded ? 'acted' : 'nothing');
  if (row.kind === 'complaint') return answer(ctx, tx, row, isMeasure(act) ? ACTED : ground, null);
  if (row.kind === 'copyright')
    return answer(ctx, tx, row, act === 'remove' ? REMOVED : isMeasure(act) ? ACTED : ground, null);
  if (row.kind === 'counter') return tellSides(ctx, tx, row, { act, ground });
  if (row.kind === 'appeal') {
    await mailAnswer(ctx, tx, row, ground);
    const others = (await writersOf(tx, row.id, 'message')).filter((id) => id !== row.from_id);
    for (const id of others) {
      const { username: from_name, email: from_email } = await requireUser(tx, id);
      await mailAnswer(ctx, tx, { ...row, from_name, from_email }, ground);
    }
    const all = row.from_id === null ? others : [row.from_id, ...others];
    return tell(all, act === 'overturn' ? 'overturned' : 'upheld');
  }
  // Dismissed messages are spam and get no reply.
  if (act === 'close') return answer(ctx, tx, row, ground, null);
}

const AGAIN = 'We closed this too early. We’re reviewing it again and will email you.';

/** Notifies writers that the case is open again. If it was dismissed without a reply, nothing is sent. */
export async function tellOpenAgain(ctx: Context, tx: Transaction, row: CaseRow): Promise<void> {
  if (row.kind === 'report') {
    const userIds = await writersOf(tx, row.id, 'report');
    if (userIds.length > 0) await tx.emit('case.answered', { userIds, caseId: row.id, note: 'again' });
    return;
  }
  const wasAnswered = row.outcome === 'close' || row.kind === 'complaint' || row.kind === 'copyright';
  if (wasAnswered) await answer(ctx, tx, row, AGAIN, null);
}
