/**
 * The verified badge belongs to the reviewed name. Another name is shown without the badge until an operator has
 * reviewed it. A name that reads the same (case, accents, spaces) needs no review.
 */
import { AppError, invalid } from '@stagedoor/contract/atoms/errors.ts';
import type { NameReview } from '@stagedoor/contract/profiles.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Context } from '../../kernel/context.ts';
import type { Executor, Statement, Transaction } from '../../kernel/db.ts';
import { newId } from '../../kernel/ids.ts';
import { changeCreator, requireUser, STAFF_NAMES, updatePerson } from '../accounts/index.ts';
import { noteAct } from '../audit/index.ts';
import './events.ts';
import { holdsPageAddress } from './page-addresses.ts';

const TOLD_MS = 30 * 24 * 60 * 60_000;

const STANDING: Statement = {
  name: 'profiles-name-standing',
  text: `select u.username, u.type, u.name, c.verified_name, name_reading(c.verified_name) = name_reading($2) as is_reviewed,
      name_reading($2) like '%' || name_reading('Stagedoor') || '%' or name_reading($2) in (select name_reading(w) from unnest($3::text[]) w) as is_ours
    from users u left join creators c on c.user_id = u.id where u.id = $1 for no key update of u`,
};
type Standing = {
  username: string;
  type: string;
  name: string;
  verified_name: string | null;
  is_reviewed: boolean | null;
  is_ours: boolean;
};

const ALIKE: Statement = {
  name: 'profiles-name-alike',
  text: `select u.username from creators c join users u on u.id = c.user_id
    where c.verified_name is not null and c.user_id <> $1 and not u.is_blocked
      and name_reading(c.verified_name) = nullif(name_reading($2), '') order by u.username limit 1`,
};

async function readsLike(db: Executor, creatorId: string, name: string): Promise<string | undefined> {
  return (await db.run<{ username: string }>(ALIKE, [creatorId, name]))[0]?.username;
}

/**
 * The current name is always accepted, because it may be the username. Throws VALIDATION for a name that contains a web
 * address or reads like staff's, and for a creator's name that reads like another verified creator's. A verified
 * creator loses the badge until the review.
 */
export async function rename(clock: Clock, tx: Transaction, userId: string, name: string): Promise<void> {
  const [standing] = await tx.run<Standing>(STANDING, [userId, name, STAFF_NAMES]);
  if (!standing || standing.name === name) return;
  if (holdsPageAddress(name))
    throw invalid('name', 'Names can’t contain links. If this isn’t one, add a space after the period.');
  if (standing.is_ours && standing.type !== 'operator')
    throw invalid('name', 'This name looks like Stagedoor staff. Choose a different one.');
  await updatePerson(tx, userId, { name });
  if (standing.type !== 'creator') return;
  const isReviewed = standing.is_reviewed === true;
  if (!isReviewed && (await readsLike(tx, userId, name)) !== undefined)
    throw invalid('name', 'This name is too similar to a verified creator’s. Add something to tell you apart.');
  if (standing.verified_name === null) return;
  await tx.query
    .updateTable('name_reviews')
    .set({ decision: 'withdrawn', decided_at: clock.now() })
    .where('creator_id', '=', userId)
    .where('decision', 'is', null)
    .execute();
  await changeCreator(tx, userId, { is_verified: isReviewed });
  if (isReviewed) return;
  const asked = { creator_id: userId, name, verified_name: standing.verified_name, asked_at: clock.now() };
  await tx.query
    .insertInto('name_reviews')
    .values({ id: newId(clock), ...asked })
    .execute();
}

/** A waiting review is approved. */
export async function verifyName(clock: Clock, tx: Transaction, creatorId: string): Promise<void> {
  const { name, username } = await requireUser(tx, creatorId);
  await tx.query
    .updateTable('name_reviews')
    .set({ decision: 'approved', decided_at: clock.now() })
    .where('creator_id', '=', creatorId)
    .where('decision', 'is', null)
    .execute();
  await changeCreator(tx, creatorId, { is_verified: true, verified_name: name });
  await tx.emit('profile.changed', { creatorId, username });
}

export async function reviewOf(ctx: Pick<Context, 'db' | 'clock'>, creatorId: string): Promise<NameReview | undefined> {
  const last = await ctx.db.query
    .selectFrom('name_reviews')
    .selectAll()
    .where('creator_id', '=', creatorId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!last) return undefined;
  const told = { name: last.name, verifiedName: last.verified_name };
  if (last.decision === null) return { state: 'waiting', ...told };
  const isRecent = (last.decided_at?.getTime() ?? 0) > ctx.clock.now().getTime() - TOLD_MS;
  return last.decision === 'declined' && isRecent ? { state: 'declined', ...told, ground: last.ground } : undefined;
}

export type WaitingName = {
  id: string;
  askedAt: Date;
  username: string;
  name: string;
  verifiedName: string;
  readsLike: string | undefined;
};

export async function listWaiting(db: Executor): Promise<WaitingName[]> {
  const rows = await db.query
    .selectFrom('name_reviews as r')
    .innerJoin('users as u', 'u.id', 'r.creator_id')
    .select(['r.id', 'r.creator_id', 'r.asked_at', 'r.name', 'r.verified_name', 'u.username'])
    .where('r.decision', 'is', null)
    .orderBy('r.id')
    .limit(50)
    .execute();
  return Promise.all(
    rows.map(async (row) => ({
      id: row.id,
      askedAt: row.asked_at,
      username: row.username,
      name: row.name,
      verifiedName: row.verified_name,
      readsLike: await readsLike(db, row.creator_id, row.name),
    })),
  );
}

export const NAME_DECISIONS = ['approve', 'decline'] as const;
type Decision = (typeof NAME_DECISIONS)[number];

/**
 * Declining restores the reviewed name and its badge.
 * Throws NOT_FOUND, CONFLICT if it was already decided or withdrawn.
 */
export async function decideName(
  ctx: Pick<Context, 'db' | 'clock' | 'security'>,
  reviewId: string,
  { decision, ground }: { decision: Decision; ground: string },
): Promise<void> {
  const creatorId = await ctx.db.transaction(async (tx) => {
    const asked = await tx.query
      .selectFrom('name_reviews')
      .select(['creator_id', 'name', 'verified_name'])
      .where('id', '=', reviewId)
      .executeTakeFirst();
    if (!asked) throw new AppError('NOT_FOUND', { message: 'There is no such name.' });
    const { creator_id: id, name, verified_name: verifiedName } = asked;
    // The user's row is locked first, as in every rename.
    const [person] = await tx.run<Standing>(STANDING, [id, name, STAFF_NAMES]);
    const { numUpdatedRows } = await tx.query
      .updateTable('name_reviews')
      .set({ decision: decision === 'approve' ? 'approved' : 'declined', ground, decided_at: ctx.clock.now() })
      .where('id', '=', reviewId)
      .where('decision', 'is', null)
      .executeTakeFirst();
    if (!person || numUpdatedRows === 0n) throw new AppError('CONFLICT', { message: 'This was decided already.' });
    if (decision === 'decline') await updatePerson(tx, id, { name: verifiedName });
    await changeCreator(tx, id, { is_verified: true, ...(decision === 'approve' && { verified_name: name }) });
    await tx.emit('profile.changed', { creatorId: id, username: person.username });
    await noteAct(ctx, tx, {
      // Decided on the command line, without an operator account.
      operatorId: null,
      act: `name.${decision}`,
      subjectKind: 'account',
      subjectId: id,
      facts: { name, ground },
    });
    return id;
  });
  ctx.security.note({ kind: 'operatorActed', userId: creatorId, detail: `names ${decision}` });
}
