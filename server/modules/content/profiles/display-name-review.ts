/**
 * The verified badge belongs to the reviewed name. Another name is shown without the badge until an operator has
 * reviewed it. A name that reads the same (case, accents, spaces) needs no review.
 */

import type { NameReview } from '@stagedoor/contract/content/profiles.ts';
import { AppError, createFieldError } from '@stagedoor/contract/shared/errors.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction, Executor, SqlStatement } from '../../../platform/database/db.ts';
import { createId } from '../../../platform/ids.ts';
import {
  requireUser,
  STAFF_NAMES,
  STAFF_TITLES,
  updateCreatorRow,
  updateProfileFields,
} from '../../identity/accounts/index.ts';
import { logAction } from '../../identity/audit-log/index.ts';
import './events.ts';
import * as texts from './texts.ts';
import { containsUrl } from './url-like-names.ts';

const DECLINED_SHOWN_MS = 30 * 24 * 60 * 60_000;

const FIND_NAME_STATE: SqlStatement = {
  name: 'profiles-name-state',
  text: `select u.username, u.type, u.name, c.verified_name, normalize_name(c.verified_name) = normalize_name($2) as is_reviewed,
      normalize_name($2) like '%' || normalize_name('Stagedoor') || '%' or normalize_name($2) in (select normalize_name(w) from unnest($3::text[]) w)
      or exists (select from regexp_split_to_table($2, '[^[:alnum:]]+') word
        where normalize_name(regexp_replace(word, '[0-9]+$', '')) in (select normalize_name(w) from unnest($4::text[]) w)) as is_staff_name
    from users u left join creators c on c.user_id = u.id where u.id = $1 for no key update of u`,
};
type NameState = {
  username: string;
  type: string;
  name: string;
  verified_name: string | null;
  is_reviewed: boolean | null;
  is_staff_name: boolean;
};

const FIND_SIMILAR_NAME: SqlStatement = {
  name: 'profiles-name-similar',
  text: `select u.username from creators c join users u on u.id = c.user_id
    where c.verified_name is not null and c.user_id <> $1 and not u.is_blocked
      and normalize_name(c.verified_name) = nullif(normalize_name($2), '') order by u.username limit 1`,
};

async function findSimilarName(db: Executor, creatorId: string, name: string): Promise<string | undefined> {
  return (await db.run<{ username: string }>(FIND_SIMILAR_NAME, [creatorId, name]))[0]?.username;
}

/**
 * The current name is always accepted, because it may be the username. Throws VALIDATION for a name that contains a web
 * address or reads like staff's, and for a creator's name that reads like another verified creator's. A verified
 * creator loses the badge until the review.
 */
export async function changeName(clock: Clock, tx: DbTransaction, userId: string, name: string): Promise<void> {
  const [nameState] = await tx.run<NameState>(FIND_NAME_STATE, [userId, name, STAFF_NAMES, STAFF_TITLES]);
  if (!nameState || nameState.name === name) return;
  if (containsUrl(name)) throw createFieldError('name', texts.nameContainsLink);
  if (nameState.is_staff_name && nameState.type !== 'operator')
    throw createFieldError('name', texts.nameLooksLikeStaff);
  await updateProfileFields(tx, userId, { name });
  if (nameState.type !== 'creator') return;
  const isReviewed = nameState.is_reviewed === true;
  if (!isReviewed && (await findSimilarName(tx, userId, name)) !== undefined)
    throw createFieldError('name', texts.nameTooSimilarToVerified);
  if (nameState.verified_name === null) return;
  await tx.query
    .updateTable('name_reviews')
    .set({ decision: 'withdrawn', decided_at: clock.now() })
    .where('creator_id', '=', userId)
    .where('decision', 'is', null)
    .execute();
  await updateCreatorRow(tx, userId, { is_verified: isReviewed });
  if (isReviewed) return;
  const review = { creator_id: userId, name, verified_name: nameState.verified_name, requested_at: clock.now() };
  await tx.query
    .insertInto('name_reviews')
    .values({ id: createId(clock), ...review })
    .execute();
}

/** A waiting review is approved. */
export async function verifyName(clock: Clock, tx: DbTransaction, creatorId: string): Promise<void> {
  const { name, username } = await requireUser(tx, creatorId);
  await tx.query
    .updateTable('name_reviews')
    .set({ decision: 'approved', decided_at: clock.now() })
    .where('creator_id', '=', creatorId)
    .where('decision', 'is', null)
    .execute();
  await updateCreatorRow(tx, creatorId, { is_verified: true, verified_name: name });
  await tx.emit('profile.changed', { creatorId, username });
}

export async function findNameReview(
  ctx: Pick<Context, 'db' | 'clock'>,
  creatorId: string,
): Promise<NameReview | undefined> {
  const last = await ctx.db.query
    .selectFrom('name_reviews')
    .selectAll()
    .where('creator_id', '=', creatorId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!last) return undefined;
  const review = { name: last.name, verifiedName: last.verified_name };
  if (last.decision === null) return { state: 'waiting', ...review };
  const isRecent = (last.decided_at?.getTime() ?? 0) > ctx.clock.now().getTime() - DECLINED_SHOWN_MS;
  return last.decision === 'declined' && isRecent ? { state: 'declined', ...review, reason: last.reason } : undefined;
}

export type WaitingName = {
  id: string;
  requestedAt: Date;
  username: string;
  name: string;
  verifiedName: string;
  similarUsername: string | undefined;
};

export async function listWaitingNames(db: Executor): Promise<WaitingName[]> {
  const rows = await db.query
    .selectFrom('name_reviews as r')
    .innerJoin('users as u', 'u.id', 'r.creator_id')
    .select(['r.id', 'r.creator_id', 'r.requested_at', 'r.name', 'r.verified_name', 'u.username'])
    .where('r.decision', 'is', null)
    .orderBy('r.id')
    .limit(50)
    .execute();
  return Promise.all(
    rows.map(async (row) => ({
      id: row.id,
      requestedAt: row.requested_at,
      username: row.username,
      name: row.name,
      verifiedName: row.verified_name,
      similarUsername: await findSimilarName(db, row.creator_id, row.name),
    })),
  );
}

export const NAME_DECISIONS = ['approve', 'decline'] as const;
type NameDecision = (typeof NAME_DECISIONS)[number];

/**
 * Declining restores the reviewed name and its badge.
 * Throws NOT_FOUND, CONFLICT if it was already decided or withdrawn.
 */
export async function decideName(
  ctx: Pick<Context, 'db' | 'clock' | 'security'>,
  reviewId: string,
  { decision, reason }: { decision: NameDecision; reason: string },
): Promise<void> {
  const creatorId = await ctx.db.transaction(async (tx) => {
    const review = await tx.query
      .selectFrom('name_reviews')
      .select(['creator_id', 'name', 'verified_name'])
      .where('id', '=', reviewId)
      .executeTakeFirst();
    if (!review) throw new AppError('NOT_FOUND', { message: texts.nameReviewMissing });
    const { creator_id: id, name, verified_name: verifiedName } = review;
    // The user's row is locked first, as in every rename.
    const [user] = await tx.run<NameState>(FIND_NAME_STATE, [id, name, STAFF_NAMES, STAFF_TITLES]);
    const { numUpdatedRows } = await tx.query
      .updateTable('name_reviews')
      .set({ decision: decision === 'approve' ? 'approved' : 'declined', reason, decided_at: ctx.clock.now() })
      .where('id', '=', reviewId)
      .where('decision', 'is', null)
      .executeTakeFirst();
    if (!user || numUpdatedRows === 0n) throw new AppError('CONFLICT', { message: texts.nameAlreadyDecided });
    if (decision === 'decline') await updateProfileFields(tx, id, { name: verifiedName });
    await updateCreatorRow(tx, id, { is_verified: true, ...(decision === 'approve' && { verified_name: name }) });
    await tx.emit('profile.changed', { creatorId: id, username: user.username });
    await logAction(ctx, tx, {
      // Decided on the command line, without an operator account.
      operatorId: null,
      action: `name.${decision}`,
      subjectKind: 'account',
      subjectId: id,
      details: { name, reason },
    });
    return id;
  });
  ctx.security.note({ kind: 'operatorAction', userId: creatorId, detail: `names ${decision}` });
}
