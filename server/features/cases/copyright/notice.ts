/** Each address in a notice is a separate case. */
import { AppError, invalid } from '@stagedoor/contract/atoms/errors.ts';
import { isId } from '@stagedoor/contract/atoms/ids.ts';
import { CASES, COPYRIGHT } from '@stagedoor/contract/atoms/room-limits.ts';
import type { AnswerOf, BodyOf } from '@stagedoor/contract/atoms/route.ts';
import { SUBJECT_WORDS, type Subject } from '@stagedoor/contract/case-kinds.ts';
import type { giveNotice } from '@stagedoor/contract/copyright.ts';
import type { Context } from '../../../kernel/context.ts';
import type { Transaction } from '../../../kernel/db.ts';
import { newId } from '../../../kernel/ids.ts';
import type { Actor } from '../../../kernel/session.ts';
import { findNamed } from '../../accounts/index.ts';
import { countWriting, DAY_MS } from '../flood.ts';
import { addEntry, changeCase, openCase } from '../store.ts';
import { accessSubject, type Named } from '../subjects.ts';
import { noticeMail } from './mails.ts';
import { countNotices, findSame, lockClaimant } from './store.ts';

type Place = Named & { place: string; subject: Subject; subjectId: string };
type Body = BodyOf<typeof giveNotice>;

const refuse = (line: string, why: string) => invalid('places', `“${line.slice(0, 80)}” ${why}`);

function pathOf(line: string, publicUrl: string): string {
  if (line.length > CASES.placeLength) throw refuse(line, 'is too long.');
  const url = URL.parse(line, publicUrl);
  if (!url || url.host !== new URL(publicUrl).host) throw refuse(line, 'isn’t a Stagedoor link.');
  return url.pathname;
}

/** Finds a post, even a removed one, or a profile by its URL. Throws VALIDATION. */
async function placeOf(ctx: Context, line: string): Promise<Place> {
  const [, kind, name = ''] = /^\/(post|profile)\/([^/]+)\/?$/.exec(pathOf(line, ctx.config.publicUrl)) ?? [];
  if (kind === undefined) throw refuse(line, 'isn’t a link to a post or profile.');
  const person = kind === 'profile' && !isId(name) ? await findNamed(ctx.db, name) : undefined;
  const subject = kind === 'post' ? 'post' : 'profile';
  const id = person?.id ?? name;
  try {
    if (!isId(id)) throw new AppError('NOT_FOUND');
    return { place: line, subject, subjectId: id, ...(await accessSubject(ctx, undefined, { subject, id })) };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'NOT_FOUND') throw error;
    throw refuse(line, `doesn’t match a ${SUBJECT_WORDS[subject]} on Stagedoor. Check the link.`);
  }
}

async function placesOf(ctx: Context, text: string): Promise<Place[]> {
  const lines = [...new Set(text.split(/\s+/).filter(Boolean))];
  if (lines.length > COPYRIGHT.places)
    throw invalid('places', `Up to ${COPYRIGHT.places} links per notice. Send another notice for the rest.`);
  const places: Place[] = [];
  for (const line of lines) {
    const place = await placeOf(ctx, line);
    if (!places.some(({ subjectId }) => subjectId === place.subjectId)) places.push(place);
  }
  return places;
}

type Same = NonNullable<Awaited<ReturnType<typeof findSame>>>;

/** Runs when the same account sends the same notice again. A case that waited for the claimant is reopened. */
async function complete(
  ctx: Context,
  tx: Transaction,
  { id, state, byId }: Same & { byId: string },
  sender: Pick<Body, 'name' | 'signature' | 'address' | 'telephone'>,
): Promise<void> {
  await tx.query.updateTable('copyright_notices').set(sender).where('case_id', '=', id).execute();
  if (state !== 'waiting') return;
  const body = 'The notice was sent again with updated sender details.';
  await addEntry(ctx, tx, id, { kind: 'message', byId, body });
  await changeCase(tx, id, { state: 'open', changed_at: ctx.clock.now() });
}

async function openOne(
  ctx: Context,
  tx: Transaction,
  actor: Actor | undefined,
  { body, place, noticeId }: { body: Body; place: Place; noticeId: string },
) {
  const { name, email, work, signature, address, telephone } = body;
  const { subject, subjectId, personId, snapshot, title: called } = place;
  const same = actor && (await findSame(tx, { fromId: actor.userId, email, place: place.place, work }));
  if (same) {
    await complete(ctx, tx, { ...same, byId: actor.userId }, { name, signature, address, telephone });
    return { ...same, place: place.place, isNew: false };
  }
  const { row } = await openCase(ctx, tx, {
    kind: 'copyright',
    title: `Copyright notice about a ${SUBJECT_WORDS[subject]}${called === '' ? '' : `: ${called}`}`,
    from: { id: actor?.userId ?? null, name, email },
    about: { subject, subjectId, personId, snapshot },
    place: place.place,
  });
  await addEntry(ctx, tx, row.id, { kind: 'message', byId: actor?.userId ?? null, body: work });
  const notice = { name, email, signature, address, telephone };
  await tx.query
    .insertInto('copyright_notices')
    .values({ case_id: row.id, notice_id: noticeId, at: row.opened_at, ...notice })
    .execute();
  return { reference: row.reference, due_at: row.due_at, place: place.place, isNew: true };
}

/**
 * Stores a notice. If the same account repeats an open one, the same numbers are returned. Without an account each
 * notice is separate. Throws VALIDATION for addresses that match no content, RATE_LIMITED.
 */
export async function takeNotice(
  ctx: Context,
  actor: Actor | undefined,
  body: Body,
  network: string,
): Promise<AnswerOf<typeof giveNotice>> {
  const by = actor?.userId ?? network;
  await countWriting(ctx, 'letter', by, { max: CASES.lettersADay, windowMs: DAY_MS });
  const places = await placesOf(ctx, body.places);
  const noticeId = newId(ctx.clock);
  const made = await ctx.db.transaction(async (tx) => {
    await lockClaimant(tx, body.email);
    const since = new Date(ctx.clock.now().getTime() - DAY_MS);
    const hasReceipts = (await countNotices(tx, body.email, since)) >= CASES.receiptsADay;
    const cases = [];
    for (const place of places) cases.push(await openOne(ctx, tx, actor, { body, place, noticeId }));
    const fresh = cases.filter(({ isNew }) => isNew);
    const [first] = fresh;
    if (first && !hasReceipts)
      await ctx.mailer.send(tx, noticeMail(body.email, fresh, first.due_at, ctx.config.publicUrl));
    return cases;
  });
  const [first] = made;
  if (!first) throw invalid('places', 'Enter at least one link');
  const message = `Thanks, we’ve received your notice. Reference: ${made.map(({ reference }) => reference).join(', ')}.`;
  const cases = made.map(({ reference, place }) => ({ reference, place }));
  return { success: true, message, answerBy: first.due_at.toISOString(), cases };
}
