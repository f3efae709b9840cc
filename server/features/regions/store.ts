import type { Executor, Statement, Transaction } from '../../kernel/db.ts';

const ALL: Statement = { name: 'regions-all', text: 'select creator_id as "creatorId", code from region_blocks' };
const OF: Statement = { name: 'regions-of', text: 'select code from region_blocks where creator_id = $1' };
const END: Statement = {
  name: 'regions-end',
  text: 'delete from region_blocks where creator_id = $1 and code <> all ($2::text[])',
};
const SET: Statement = {
  name: 'regions-set',
  text: 'insert into region_blocks (creator_id, code) select $1, unnest($2::text[]) on conflict do nothing',
};
const COUNT: Statement = {
  name: 'regions-count',
  text: `insert into region_refusals (creator_id, code, day, count)
    select c.creator_id, c.code, $4::date, c.count from unnest($1::uuid[], $2::text[], $3::bigint[]) c (creator_id, code, count)
    on conflict (creator_id, code, day) do update set count = region_refusals.count + excluded.count`,
};
const COUNTED: Statement = {
  name: 'regions-counted',
  text: 'select code, sum(count)::bigint as count from region_refusals where creator_id = $1 and day > $2::date group by code',
};
const FORGET: Statement = { name: 'regions-forget', text: 'delete from region_refusals where day <= $1::date' };
const ERASE: Statement = { name: 'regions-erase', text: 'delete from region_refusals where creator_id = $1' };

export type Refusals = { creatorId: string; code: string; count: number };

export function readAll(db: Executor): Promise<{ creatorId: string; code: string }[]> {
  return db.run(ALL, []);
}

export async function readOf(db: Executor, creatorId: string): Promise<string[]> {
  return (await db.run<{ code: string }>(OF, [creatorId])).map(({ code }) => code);
}

export async function write(tx: Transaction, creatorId: string, codes: readonly string[]): Promise<void> {
  await tx.run(END, [creatorId, codes]);
  await tx.run(SET, [creatorId, codes]);
}

export async function addRefusals(db: Executor, refusals: readonly Refusals[], day: Date): Promise<void> {
  const column = <K extends keyof Refusals>(name: K) => refusals.map((one) => one[name]);
  await db.run(COUNT, [column('creatorId'), column('code'), column('count'), day]);
}

export async function refusalsSince(db: Executor, creatorId: string, day: Date): Promise<Map<string, number>> {
  const rows = await db.run<{ code: string; count: number }>(COUNTED, [creatorId, day]);
  return new Map(rows.map(({ code, count }) => [code, count]));
}

export async function forgetUntil(db: Executor, day: Date): Promise<void> {
  await db.run(FORGET, [day]);
}

export async function erase(tx: Transaction, creatorId: string): Promise<void> {
  await write(tx, creatorId, []);
  await tx.run(ERASE, [creatorId]);
}
