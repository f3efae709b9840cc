import { toUsd } from '@stagedoor/contract/atoms/money.ts';
import type { Draft } from '@stagedoor/contract/publishing.ts';
import type { Executor } from '../../kernel/db.ts';
import { readOwnMedia } from '../media/index.ts';
import { findPeople, presentPerson, titleOf } from '../posts/index.ts';
import type { DraftRow } from './store.ts';

export async function presentDrafts(db: Executor, creatorId: string, rows: readonly DraftRow[]): Promise<Draft[]> {
  const [media, people] = await Promise.all([
    readOwnMedia(db, creatorId, [...new Set(rows.flatMap((row) => row.media.map(({ id }) => id)))]),
    findPeople(db, [...new Set(rows.flatMap((row) => row.people))]),
  ]);
  const mediaById = new Map(media.map((medium) => [String(medium.id), medium]));
  const peopleById = new Map(people.map((person) => [String(person.id), presentPerson(person)]));
  return rows.map((row) => ({
    id: row.id,
    version: row.version,
    caption: row.caption,
    title: titleOf(row.caption),
    price: toUsd(row.price_cents),
    media: row.media.flatMap(({ id, alt }) => {
      const medium = mediaById.get(id);
      return medium ? [{ media: medium, alt }] : [];
    }),
    tags: row.tags,
    people: row.people.flatMap((id) => peopleById.get(id) ?? []),
    scheduledAt: row.scheduled_at?.toISOString() ?? null,
    updatedAt: row.updated_at.toISOString(),
    failure: row.failure,
  }));
}
