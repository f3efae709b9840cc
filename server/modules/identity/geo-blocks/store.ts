import type { DbTransaction, Executor, SqlStatement } from '../../../platform/database/db.ts';

const LIST_ALL: SqlStatement = {
  name: 'geo-blocks-list-all',
  text: 'select creator_id as "creatorId", code from geo_blocks',
};
const LIST_CODES: SqlStatement = { name: 'geo-blocks-list', text: 'select code from geo_blocks where creator_id = $1' };
const DELETE_BLOCKS: SqlStatement = {
  name: 'geo-blocks-delete',
  text: 'delete from geo_blocks where creator_id = $1 and code <> all ($2::text[])',
};
const INSERT_BLOCKS: SqlStatement = {
  name: 'geo-blocks-insert',
  text: 'insert into geo_blocks (creator_id, code) select $1, unnest($2::text[]) on conflict do nothing',
};
const ADD_HITS: SqlStatement = {
  name: 'geo-block-hits-add',
  text: `insert into geo_block_hits (creator_id, code, day, count)
    select c.creator_id, c.code, $4::date, c.count from unnest($1::uuid[], $2::text[], $3::bigint[]) c (creator_id, code, count)
    on conflict (creator_id, code, day) do update set count = geo_block_hits.count + excluded.count`,
};
const COUNT_HITS: SqlStatement = {
  name: 'geo-block-hits-count',
  text: 'select code, sum(count)::bigint as count from geo_block_hits where creator_id = $1 and day > $2::date group by code',
};
const DELETE_OLD_HITS: SqlStatement = {
  name: 'geo-block-hits-delete-old',
  text: 'delete from geo_block_hits where day <= $1::date',
};
const DELETE_HITS: SqlStatement = {
  name: 'geo-block-hits-delete',
  text: 'delete from geo_block_hits where creator_id = $1',
};

export type GeoBlockHitCount = { creatorId: string; code: string; count: number };

export function listAllBlocks(db: Executor): Promise<{ creatorId: string; code: string }[]> {
  return db.run(LIST_ALL, []);
}

export async function listBlockedCodes(db: Executor, creatorId: string): Promise<string[]> {
  return (await db.run<{ code: string }>(LIST_CODES, [creatorId])).map(({ code }) => code);
}

export async function replaceBlocks(tx: DbTransaction, creatorId: string, codes: readonly string[]): Promise<void> {
  await tx.run(DELETE_BLOCKS, [creatorId, codes]);
  await tx.run(INSERT_BLOCKS, [creatorId, codes]);
}

export async function addHits(db: Executor, hits: readonly GeoBlockHitCount[], day: Date): Promise<void> {
  const toColumn = <K extends keyof GeoBlockHitCount>(name: K) => hits.map((hit) => hit[name]);
  await db.run(ADD_HITS, [toColumn('creatorId'), toColumn('code'), toColumn('count'), day]);
}

export async function countHitsSince(db: Executor, creatorId: string, day: Date): Promise<Map<string, number>> {
  const rows = await db.run<{ code: string; count: number }>(COUNT_HITS, [creatorId, day]);
  return new Map(rows.map(({ code, count }) => [code, count]));
}

export async function deleteHitsUntil(db: Executor, day: Date): Promise<void> {
  await db.run(DELETE_OLD_HITS, [day]);
}

export async function deleteGeoBlocks(tx: DbTransaction, creatorId: string): Promise<void> {
  await replaceBlocks(tx, creatorId, []);
  await tx.run(DELETE_HITS, [creatorId]);
}
