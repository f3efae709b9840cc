/** A message from a blocked user becomes an appeal (row J1). */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { isId } from '@stagedoor/contract/atoms/ids.ts';
import { CASES } from '@stagedoor/contract/atoms/room-limits.ts';
import type { AnswerOf, BodyOf } from '@stagedoor/contract/atoms/route.ts';
import { contactWords, SUBJECT_WORDS } from '@stagedoor/contract/case-kinds.ts';
import type { complain, contactAdmin } from '@stagedoor/contract/cases.ts';
import type { Context } from '../../kernel/context.ts';
import type { Transaction } from '../../kernel/db.ts';
import type { Actor } from '../../kernel/session.ts';
import { findNamed, findUser, provenBlocked, requireUser } from '../accounts/index.ts';
import { addLetter, appealOfBlocked } from './appeals.ts';
import { countWriting, DAY_MS } from './flood.ts';
import { answeredMail, complaintMail, followPath } from './mails.ts';
import { ABOUT_NOTHING, type About, addEntry, type CaseRow, openCase } from './store.ts';
import { accessSubject } from './subjects.ts';

type Answer = AnswerOf<typeof contactAdmin>;

/** Counts by account, or by network without one. Throws RATE_LIMITED. */
export async function countLetter(ctx: Context, by: { id: string | undefined; network: string }): Promise<void> {
  await countWriting(ctx, 'letter', by.id ?? by.network, { max: CASES.lettersADay, windowMs: DAY_MS });
}

/**
 * A message from a blocked user becomes an appeal, which is proven only with the proof from log-in. Throws NOT_FOUND
 * for a picture that is not the user's.
 */
export async function contact(
  ctx: Context,
  actor: Actor | undefined,
  { name, email, details, proof, pictures }: BodyOf<typeof contactAdmin>,
  network: string,
): Promise<Answer> {
  const proven = actor
    ? await requireUser(ctx.db, actor.userId)
    : proof === undefined
      ? undefined
      : await provenBlocked(ctx, proof);
  await countLetter(ctx, { id: proven?.id, network });
  const writer = proven ?? (await findNamed(ctx.db, email));
  const from = { id: proven?.id ?? null, name, email };
  const reference = await ctx.db.transaction(async (tx) => {
    const appeal = writer?.is_blocked
      ? await appealOfBlocked(ctx, tx, writer.id, { from, message: details, pictures })
      : undefined;
    if (appeal) return appeal.reference;
    const title = `Message from ${name}`;
    const { row } = await openCase(ctx, tx, { kind: 'contact', title, from, about: ABOUT_NOTHING });
    await addLetter(ctx, tx, row.id, { byId: from.id, message: details, pictures });
    return row.reference;
  });
  return { success: true, reference, message: contactWords(reference) };
}

async function aboutPlace(ctx: Context, place: string): Promise<About & { title: string }> {
  const [, post, username] = /\/post\/([0-9a-f-]{36})|\/profile\/([A-Za-z0-9._]{6,20})/.exec(place) ?? [];
  try {
    if (post !== undefined && isId(post)) {
      const named = await accessSubject(ctx, undefined, { subject: 'post', id: post });
      return { subject: 'post', subjectId: post, ...named };
    }
    const person = username === undefined ? undefined : await findNamed(ctx.db, username);
    if (person) {
      const named = await accessSubject(ctx, undefined, { subject: 'profile', id: person.id });
      return { subject: 'profile', subjectId: person.id, ...named };
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
  return { ...ABOUT_NOTHING, title: '' };
}

/** Receipts per address are limited, because anyone can enter any address. */
async function hasReceipts(ctx: Context, tx: Transaction, email: string): Promise<boolean> {
  const { count } = await tx.query
    .selectFrom('cases')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('from_email', '=', email)
    .where('from_email', '<>', '')
    .where('kind', '=', 'complaint')
    .where('opened_at', '>', new Date(ctx.clock.now().getTime() - DAY_MS))
    .executeTakeFirstOrThrow();
  return count >= CASES.receiptsADay;
}

/** Stores a complaint and mails a receipt, at most a few times a day per address. Throws RATE_LIMITED. */
export async function complainOf(
  ctx: Context,
  actor: Actor | undefined,
  { name, email, where, details }: BodyOf<typeof complain>,
  network: string,
): Promise<AnswerOf<typeof complain>> {
  await countLetter(ctx, { id: actor?.userId, network });
  const { title: called, ...about } = await aboutPlace(ctx, where);
  const thing = about.subject === null ? '' : ` about a ${SUBJECT_WORDS[about.subject]}`;
  const title = `Complaint${thing}${called === '' ? '' : `: ${called}`}`;
  const from = { id: actor?.userId ?? null, name, email };
  const row = await ctx.db.transaction(async (tx) => {
    const isKnown = await hasReceipts(ctx, tx, email);
    const { row: made } = await openCase(ctx, tx, { kind: 'complaint', title, from, about, place: where });
    await addEntry(ctx, tx, made.id, { kind: 'message', byId: from.id, body: details });
    if (!isKnown) await ctx.mailer.send(tx, complaintMail(made, ctx.config.publicUrl));
    return made;
  });
  const { reference } = row;
  const message = `Thanks, we’ve received your complaint. Reference: ${reference}.`;
  return { success: true, reference, message, answerBy: row.due_at.toISOString() };
}

/** Returns false if the case has no address. */
export async function mailAnswer(ctx: Context, tx: Transaction, row: CaseRow, text: string): Promise<boolean> {
  if (row.from_email === '') return false;
  const writer = row.kind === 'ticket' && row.from_id !== null ? await findUser(tx, row.from_id) : undefined;
  const mail = answeredMail(row, `${ctx.config.publicUrl}${followPath(row, writer?.type)}`, text);
  await ctx.mailer.send(tx, { ...mail, isOnlyWay: !writer });
  return true;
}
