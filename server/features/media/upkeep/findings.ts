import type { Executor, Statement } from '../../../kernel/db.ts';

export type Kind = 'missing' | 'orphan';
export type Outcome = {
  startedAt: Date;
  finishedAt: Date;
  media: number;
  files: number;
  bytes: number;
  missing: number;
  orphans: number;
  removed: number;
};

const KNOWN: Statement = {
  name: 'media-audit-known',
  text: `select id from ((select id from media where id > $1 order by id limit $2)
    union all (select id from media_deleted where id > $1 order by id limit $2)) k order by id limit $2`,
};

export async function nextKnown(db: Executor, after: string, limit: number): Promise<string[]> {
  return (await db.run<{ id: string }>(KNOWN, [after, limit])).map(({ id }) => id);
}

const NOTE: Statement = {
  name: 'media-audit-note',
  text: `insert into media_findings as f (key, kind, seen_at, audited_at) select key, kind, $3, $3 from unnest($1::text[], $2::text[]) n (key, kind)
    on conflict (key) do update set kind = excluded.kind, audited_at = greatest(f.audited_at, excluded.audited_at),
      seen_at = case when f.kind = excluded.kind then f.seen_at else excluded.seen_at end`,
};

/** A known finding keeps the time when it was first seen. */
export async function note(db: Executor, found: readonly { key: string; kind: Kind }[], at: Date): Promise<void> {
  await db.run(NOTE, [found.map(({ key }) => key), found.map(({ kind }) => kind), at]);
}

export async function forgetBefore(db: Executor, at: Date): Promise<void> {
  await db.query.deleteFrom('media_findings').where('audited_at', '<', at).execute();
}

export async function forget(db: Executor, keys: readonly string[]): Promise<void> {
  await db.query.deleteFrom('media_findings').where('key', 'in', keys).execute();
}

export async function list(db: Executor, kind: Kind, before: Date, limit: number): Promise<string[]> {
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

export async function keepOutcome(db: Executor, outcome: Outcome, until: Date): Promise<void> {
  const { startedAt, finishedAt, ...numbers } = outcome;
  await db.query
    .insertInto('media_audits')
    .values({ started_at: startedAt, finished_at: finishedAt, ...numbers })
    .execute();
  await db.query.deleteFrom('media_audits').where('finished_at', '<', until).execute();
}

export async function latest(db: Executor): Promise<Outcome | undefined> {
  const row = await db.query.selectFrom('media_audits').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst();
  if (!row) return undefined;
  const { id: _, started_at: startedAt, finished_at: finishedAt, ...numbers } = row;
  return { startedAt, finishedAt, ...numbers };
}
