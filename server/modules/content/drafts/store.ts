import { type PostDetails, parsePostDetails } from '@stagedoor/contract/content/post-details.ts';
import type { DraftId, MediaId, UserId } from '@stagedoor/contract/shared/ids.ts';
import type { DbTransaction, Executor, SqlStatement } from '../../../platform/database/db.ts';

export type DraftMedia = { id: MediaId; alt: string };

export type DraftContent = {
  caption: string;
  priceCents: number;
  media: readonly DraftMedia[];
  details: PostDetails;
  people: readonly UserId[];
  scheduledAt: Date | null;
};

export type DraftRow = {
  id: DraftId;
  creator_id: string;
  version: number;
  caption: string;
  price_cents: number;
  media: DraftMedia[];
  details: PostDetails;
  people: UserId[];
  scheduled_at: Date | null;
  failure: string | null;
  updated_at: Date;
};

const DRAFT_COLUMNS = `d.id, d.creator_id, d.version, d.caption, d.price_cents, d.details, d.people, d.scheduled_at, d.failure, d.updated_at,
  coalesce((select json_agg(json_build_object('id', m.media_id, 'alt', m.alt) order by m.position) from draft_media m where m.draft_id = d.id), '[]') as media`;

const FIND: SqlStatement = { name: 'drafts-find', text: `select ${DRAFT_COLUMNS} from drafts d where d.id = $1` };
const LOCK: SqlStatement = { name: 'drafts-lock', text: 'select 1 from drafts where id = $1 for update' };

async function queryDrafts(db: Executor, statement: SqlStatement, values: readonly unknown[]): Promise<DraftRow[]> {
  const rows = await db.run<DraftRow>(statement, values);
  return rows.map((row) => ({ ...row, details: parsePostDetails(row.details) }));
}

export async function findDraft(db: Executor, id: string): Promise<DraftRow | undefined> {
  return (await queryDrafts(db, FIND, [id]))[0];
}

export async function lockDraft(tx: DbTransaction, id: string): Promise<DraftRow | undefined> {
  // A separate statement, because only the next one sees the changes that it waited for.
  await tx.run(LOCK, [id]);
  return findDraft(tx, id);
}

export type DraftPage = { after: { at: Date; id: string } | undefined; skip: number; limit: number };

const LISTS = {
  draft: {
    name: 'drafts-list',
    text: `select ${DRAFT_COLUMNS} from drafts d where d.creator_id = $1 and d.scheduled_at is null
      and ($2::timestamptz is null or (d.updated_at, d.id) < ($2::timestamptz, $3::uuid))
      order by d.updated_at desc, d.id desc offset $4 limit $5`,
  },
  scheduled: {
    name: 'drafts-list-scheduled',
    text: `select ${DRAFT_COLUMNS} from drafts d where d.creator_id = $1 and d.scheduled_at is not null
      and ($2::timestamptz is null or (d.scheduled_at, d.id) > ($2::timestamptz, $3::uuid))
      order by d.scheduled_at, d.id offset $4 limit $5`,
  },
} satisfies Record<string, SqlStatement>;
const COUNT: SqlStatement = {
  name: 'drafts-count',
  text: 'select count(*) as count from drafts where creator_id = $1 and (scheduled_at is not null) = $2',
};

export type DraftState = keyof typeof LISTS;

export function listDrafts(db: Executor, creatorId: string, state: DraftState, page: DraftPage): Promise<DraftRow[]> {
  const { after, skip, limit } = page;
  return queryDrafts(db, LISTS[state], [creatorId, after?.at ?? null, after?.id ?? null, skip, limit]);
}

export async function countDrafts(db: Executor, creatorId: string, state: DraftState): Promise<number> {
  return (await db.run<{ count: number }>(COUNT, [creatorId, state === 'scheduled']))[0]?.count ?? 0;
}

const LOCK_CREATOR: SqlStatement = {
  name: 'drafts-lock-creator',
  text: 'select 1 from creators where user_id = $1 for no key update',
};
const INSERT: SqlStatement = {
  name: 'drafts-insert',
  text: `insert into drafts (id, creator_id, caption, price_cents, details, people, scheduled_at, created_at, updated_at)
    select $1, $2, $3, $4, $5, $6, $7, $8::timestamptz, $8::timestamptz where (select count(*) from drafts d where d.creator_id = $2) < $9 returning 1 as made`,
};
const INSERT_MEDIA: SqlStatement = {
  name: 'drafts-insert-media',
  text: `insert into draft_media (draft_id, position, media_id, alt)
    select $1, ordinality - 1, id, alt from unnest($2::uuid[], $3::text[]) with ordinality as given (id, alt, ordinality)`,
};

async function insertMedia(tx: DbTransaction, id: string, media: readonly DraftMedia[]): Promise<void> {
  if (media.length > 0)
    await tx.run(INSERT_MEDIA, [id, media.map((medium) => medium.id), media.map((medium) => medium.alt)]);
}

/** Returns false if the creator already has `limit` drafts. */
export async function insertDraft(
  tx: DbTransaction,
  draft: DraftContent & { id: string; creatorId: string; at: Date; limit: number },
): Promise<boolean> {
  const { id, creatorId, caption, priceCents, media, details, people, scheduledAt, at, limit } = draft;
  await tx.run(LOCK_CREATOR, [creatorId]);
  const values = [id, creatorId, caption, priceCents, JSON.stringify(details), people, scheduledAt, at, limit];
  const inserted = await tx.run(INSERT, values);
  if (inserted.length > 0) await insertMedia(tx, id, media);
  return inserted.length > 0;
}

const UPDATE: SqlStatement = {
  name: 'drafts-update',
  text: `update drafts set version = version + 1, caption = $2, price_cents = $3, details = $4, people = $5, scheduled_at = $6, failure = null,
    updated_at = $7 where id = $1`,
};

export async function updateDraft(tx: DbTransaction, id: string, content: DraftContent & { at: Date }): Promise<void> {
  const { caption, priceCents, media, details, people, scheduledAt, at } = content;
  await tx.run(UPDATE, [id, caption, priceCents, JSON.stringify(details), people, scheduledAt, at]);
  await tx.query.deleteFrom('draft_media').where('draft_id', '=', id).execute();
  await insertMedia(tx, id, media);
}

const FAIL: SqlStatement = {
  name: 'drafts-fail',
  text: `update drafts set version = version + 1, scheduled_at = null, failure = $3, updated_at = $4 where id = $1 and scheduled_at = $2
    returning creator_id as "creatorId"`,
};

/** Returns its creator, or undefined if it changed meanwhile. */
export async function failDraft(
  tx: DbTransaction,
  id: string,
  { scheduledAt, failure, at }: { scheduledAt: Date; failure: string; at: Date },
): Promise<string | undefined> {
  return (await tx.run<{ creatorId: string }>(FAIL, [id, scheduledAt, failure, at]))[0]?.creatorId;
}

export async function deleteDraft(db: Executor, id: string): Promise<void> {
  await db.query.deleteFrom('drafts').where('id', '=', id).execute();
}

const LEAVE_TIER: SqlStatement = {
  name: 'drafts-leave-tier',
  text: `update drafts set details = details || jsonb_build_object('subscribers', coalesce(
      (select n.id from unnest($3::text[]) with ordinality as n (id, position) where n.id = any($4::text[]) order by n.position limit 1), 'none'))
    where creator_id = $1 and details ->> 'subscribers' = $2`,
};

/**
 * Moves drafts of a deleted tier to the first higher one that exists. Their version stays the same, so that an open editor
 * can still save.
 */
export async function leaveDeletedTier(
  db: Executor,
  { creatorId, tierId, higherTierIds }: { creatorId: string; tierId: string; higherTierIds: readonly string[] },
  existingIds: readonly string[],
): Promise<void> {
  await db.run(LEAVE_TIER, [creatorId, tierId, higherTierIds, existingIds]);
}

const FIND_USE_IN_DRAFT: SqlStatement = {
  name: 'drafts-use-of-media',
  // Failed media are of no use to a draft.
  text: `select 1 from draft_media d join media m on m.id = d.media_id where d.media_id = $1 and m.status <> 'failed' limit 1`,
};

export async function isInDraft(db: Executor, mediaId: string): Promise<boolean> {
  return (await db.run(FIND_USE_IN_DRAFT, [mediaId])).length > 0;
}
