import type { Executor, SqlStatement } from '../../../../platform/database/db.ts';

export type FindingKind = 'missing' | 'orphan';
export type AuditOutcome = {
  startedAt: Date;
  finishedAt: Date;
  media: number;
  files: number;
  bytes: number;
  missing: number;
  orphans: number;
  removed: number;
};

const LIST_KNOWN_IDS: SqlStatement = {
  name: 'media-audit-known',
  text: `select id from ((select id from media where id > $1 order by id limit $2)
    union all (select id from deleted_media where id > $1 order by id limit $2)) k order by id limit $2`,
};

export async function listKnownIds(db: Executor, after: string, limit: number): Promise<string[]> {
  return (await db.run<{ id: string }>(LIST_KNOWN_IDS, [after, limit])).map(({ id }) => id);
}

const SAVE_FINDINGS: SqlStatement = {
  name: 'media-audit-note',
  text: `insert into media_findings as f (key, kind, seen_at, audited_at) select key, kind, $3, $3 from unnest($1::text[], $2::text[]) n (key, kind)
    on conflict (key) do update set kind = excluded.kind, audited_at = greatest(f.audited_at, excluded.audited_at),
      seen_at = case when f.kind = excluded.kind then f.seen_at else excluded.seen_at end`,
};

/** A known finding keeps the time when it was first seen. */
export async function saveFindings(
  db: Executor,
  newFindings: readonly { key: string; kind: FindingKind }[],
  at: Date,
): Promise<void> {
  await db.run(SAVE_FINDINGS, [newFindings.map(({ key }) => key), newFindings.map(({ kind }) => kind), at]);
}

export async function deleteFindingsBefore(db: Executor, at: Date): Promise<void> {
  await db.query.deleteFrom('media_findings').where('audited_at', '<', at).execute();
}

export async function deleteFindings(db: Executor, keys: readonly string[]): Promise<void> {
  await db.query.deleteFrom('media_findings').where('key', 'in', keys).execute();
}

export async function listFindings(db: Executor, kind: FindingKind, before: Date, limit: number): Promise<string[]> {
  const rows = await db.query
    .selectFrom('media_findings')
    .select('key')
    .where('kind', '=', kind)
    .where('seen_at', '<=', before)
    .orderBy('seen_at')
    .limit(limit)
    .execute();
  return rows.map(({ key }) => key);
}

export async function saveOutcome(db: Executor, outcome: AuditOutcome, retainedSince: Date): Promise<void> {
  const { startedAt, finishedAt, ...numbers } = outcome;
  await db.query
    .insertInto('media_audits')
    .values({ started_at: startedAt, finished_at: finishedAt, ...numbers })
    .execute();
  await db.query.deleteFrom('media_audits').where('finished_at', '<', retainedSince).execute();
}

export async function findLatestOutcome(db: Executor): Promise<AuditOutcome | undefined> {
  const row = await db.query.selectFrom('media_audits').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst();
  if (!row) return undefined;
  const { id: _, started_at: startedAt, finished_at: finishedAt, ...numbers } = row;
  return { startedAt, finishedAt, ...numbers };
}
