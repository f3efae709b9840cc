/**
 * Cases written without an account are found by reference number and address. Guesses at the pair reveal nothing and
 * are rate limited.
 */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { CASES } from '@stagedoor/contract/atoms/room-limits.ts';
import type { AnswerOf, BodyOf } from '@stagedoor/contract/atoms/route.ts';
import type { answerComplaint, complaintStatus } from '@stagedoor/contract/cases.ts';
import type { Context } from '../../kernel/context.ts';
import type { Executor } from '../../kernel/db.ts';
import { countAttempt, releaseAttempt } from '../accounts/index.ts';
import { countLetter } from './contact.ts';
import { addEntry, type CaseRow, entriesOf, lockCase, readRow, reopen } from './store.ts';

type Pair = BodyOf<typeof complaintStatus>;
type Standing = AnswerOf<typeof complaintStatus>;

/** A ticket is available to its account only. */
const FOLLOWED = ['complaint', 'contact', 'appeal', 'copyright'];

/** Throws RATE_LIMITED after too many wrong pairs, NOT_FOUND whichever of the two is wrong. */
async function findPair(ctx: Context, { reference, email }: Pair, network: string): Promise<CaseRow> {
  const most = (max: number) => Math.ceil(max * ctx.config.rateFactor);
  const guesses = [
    { subject: `case:${reference}`, max: most(CASES.wrongOfNumber) },
    { subject: `cases from:${network}`, max: most(CASES.wrongOfNetwork) },
  ];
  for (const { subject, max } of guesses) await countAttempt(ctx, subject, max);
  const found = await ctx.db.query
    .selectFrom('cases')
    .selectAll()
    .where('reference', '=', reference)
    .where('from_email', '=', email)
    .where('kind', 'in', FOLLOWED)
    .executeTakeFirst();
  if (!found) throw new AppError('NOT_FOUND', { message: 'No case found with this reference and email.' });
  for (const { subject } of guesses) await releaseAttempt(ctx.db, subject);
  return readRow(found);
}

async function present(db: Executor, row: CaseRow): Promise<Standing> {
  const replies = await entriesOf(db, row.id, ['reply']);
  return {
    reference: row.reference,
    state: row.state,
    openedAt: row.opened_at.toISOString(),
    answerBy: row.due_at.toISOString(),
    closedAt: row.closed_at?.toISOString() ?? null,
    replies: replies.map(({ at, body }) => ({ at: at.toISOString(), text: body })),
  };
}

/** Throws as {@link findPair}. */
export async function statusOf(ctx: Context, pair: Pair, network: string): Promise<Standing> {
  return present(ctx.db, await findPair(ctx, pair, network));
}

/** Adds a message and reopens the case. Throws as {@link findPair}, CONFLICT when it is closed. */
export async function answerOf(
  ctx: Context,
  { message, ...pair }: BodyOf<typeof answerComplaint>,
  network: string,
): Promise<AnswerOf<typeof answerComplaint>> {
  const found = await findPair(ctx, pair, network);
  await countLetter(ctx, { id: undefined, network });
  const row = await ctx.db.transaction(async (tx) => {
    const locked = await lockCase(tx, found.id);
    if (!locked || locked.state === 'closed')
      throw new AppError('CONFLICT', { message: 'This case is closed. Start a new request.' });
    const last = (await entriesOf(tx, locked.id, ['message', 'reply'])).at(-1);
    // The same message twice in a row comes from a reloaded page.
    if (last?.kind === 'message' && last.body === message) return locked;
    // The pair proves no account, so no author is stored.
    await addEntry(ctx, tx, locked.id, { kind: 'message', byId: null, body: message });
    await reopen(ctx, tx, locked);
    return (await lockCase(tx, locked.id)) ?? locked;
  });
  return { success: true, message: 'Thanks, we’ll reply by email.', ...(await present(ctx.db, row)) };
}
