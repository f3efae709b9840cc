import type { Draft } from '@stagedoor/contract/content/drafts.ts';
import { toUsd } from '@stagedoor/contract/shared/money.ts';
import type { Executor } from '../../../platform/database/db.ts';
import { listOwnMedia } from '../media/index.ts';
import { listTaggableUsers, presentTaggedUser, toPostTitle } from '../posts/index.ts';
import type { DraftRow } from './store.ts';

export async function presentDrafts(db: Executor, creatorId: string, rows: readonly DraftRow[]): Promise<Draft[]> {
  const [media, people] = await Promise.all([
    listOwnMedia(db, creatorId, [...new Set(rows.flatMap((row) => row.media.map(({ id }) => id)))]),
    listTaggableUsers(db, [...new Set(rows.flatMap((row) => row.people))]),
  ]);
  const mediaById = new Map(media.map((medium) => [String(medium.id), medium]));
  const taggedUsersById = new Map(people.map((user) => [String(user.id), presentTaggedUser(user)]));
  return rows.map((row) => ({
    id: row.id,
    version: row.version,
    caption: row.caption,
    title: toPostTitle(row.caption),
    price: toUsd(row.price_cents),
    media: row.media.flatMap(({ id, alt }) => {
      const medium = mediaById.get(id);
      return medium ? [{ media: medium, alt }] : [];
    }),
    ...row.details,
    people: row.people.flatMap((id) => taggedUsersById.get(id) ?? []),
    scheduledAt: row.scheduled_at?.toISOString() ?? null,
    updatedAt: row.updated_at.toISOString(),
    failure: row.failure,
  }));
}
