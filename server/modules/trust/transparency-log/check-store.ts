import type { Executor, SqlStatement } from '../../../platform/database/db.ts';
import { HASH, type LastCheckpoint, LEAST_ID, NOT_SEQUENCED, PLAN, ROWS } from './store.ts';
import type { Tile } from './tiles.ts';

/** Uses one snapshot of the database and makes the transaction read-only. */
const SET_READ_ONLY: SqlStatement = {
  name: 'transparency-log-set-read-only',
  text: 'set transaction isolation level repeatable read, read only',
};

export async function startReadOnly(tx: Executor): Promise<void> {
  await tx.run(SET_READ_ONLY, []);
  await tx.run(PLAN, []);
}

export type CheckResult = { count: number; wrong: string[] };

const toCheckSql = (source: string) =>
  `select count(*)::bigint as count, coalesce((array_agg(key) filter (where ok is not true))[1:5], '{}') as wrong from (${source}) checked`;

const LEAVES: SqlStatement = {
  name: 'transparency-log-check-leaves',
  text: toCheckSql(`select l.type || ' ' || l.row_id || ', position ' || l.position as key, l.hash = ${HASH} as ok
    from transparency_leaves l left join transparency_rows($2::uuid, $3::uuid) r using (type, row_id) where l.position >= $1`),
};
const BOUNDS: SqlStatement = {
  name: 'transparency-log-check-bounds',
  text: `select coalesce(min(row_id::text), $2) as least, coalesce(max(row_id::text), $2) as greatest
    from transparency_leaves where position >= $1 and type <> 'kind'`,
};
const CHECK_SEQUENCED: SqlStatement = {
  name: 'transparency-log-check-sequenced',
  text: toCheckSql(
    `select type || ' ' || row_id as key, not ${NOT_SEQUENCED} as ok from (${ROWS}) r where xid >= $1 and xid < $2 or xid >= $3`,
  ),
};
/** A hash cannot show whether a row should exist at all, so this is checked separately. */
const ORDERS: SqlStatement = {
  name: 'transparency-log-check-orders',
  text: toCheckSql(`select t.id::text as key, d.status = 'success' and x.provider = d.provider and x.ref = d.processor_transaction_id as ok
    from ledger_transactions t left join deposits d on d.transaction_id = t.id left join ledger_external_refs x on x.transaction_id = t.id
    where t.kind = 'deposit'`),
};

/** Checks leaves from position `from` on against their current rows. */
export async function checkLeaves(tx: Executor, from: number): Promise<CheckResult> {
  const [bounds] = await tx.run<{ least: string; greatest: string }>(BOUNDS, [from, LEAST_ID]);
  const [row] = await tx.run<CheckResult>(LEAVES, [from, bounds?.least ?? LEAST_ID, bounds?.greatest ?? LEAST_ID]);
  return row ?? { count: 0, wrong: [] };
}

export async function checkSequenced(
  tx: Executor,
  window: Record<'from' | 'to' | 'after', number>,
): Promise<CheckResult> {
  const [row] = await tx.run<CheckResult>(CHECK_SEQUENCED, [window.from, window.to, window.after]);
  return row ?? { count: 0, wrong: [] };
}

/** Whether each deposit in the journal has a paid order, paid by the processor transaction that it names. */
export async function checkOrders(tx: Executor): Promise<CheckResult> {
  const [row] = await tx.run<CheckResult>(ORDERS, []);
  return row ?? { count: 0, wrong: [] };
}

export type KindRow = { kind: string; title: string; statementType: string; isSale: boolean; isOnce: boolean };

const KINDS: SqlStatement = {
  name: 'transparency-log-check-kinds',
  text: `select kind, title, statement_type as "statementType", fee_account is not null as "isSale", is_once as "isOnce" from ledger_kinds order by kind`,
};

export function readKinds(tx: Executor): Promise<KindRow[]> {
  return tx.run<KindRow>(KINDS, []);
}

const HASHES: SqlStatement = {
  name: 'transparency-log-hashes',
  text: 'select position, hash from transparency_leaves where position >= $1 and position < $2 order by position',
};
const SAME_TILES: SqlStatement = {
  name: 'transparency-log-same-tiles',
  text: `select count(*)::int as count from unnest($1::smallint[], $2::bigint[], $3::bytea[]) as ours (level, index, hashes)
    join transparency_tiles t using (level, index) where substring(t.hashes, 1, length(ours.hashes)) = ours.hashes`,
};
const CHECKPOINTS: SqlStatement = {
  name: 'transparency-log-checkpoints',
  text: `select size, note, stored_at is not null as "isStored" from transparency_checkpoints where size >= $1 order by size`,
};
const FIND_LAST_CHECKED: SqlStatement = {
  name: 'transparency-log-last-checked',
  text: `select size, note, watermark, system_identifier as "systemIdentifier" from transparency_checkpoints
    where checked_at is not null order by size desc limit 1`,
};
const MARK_CHECKED: SqlStatement = {
  name: 'transparency-log-mark-checked',
  text: 'update transparency_checkpoints set checked_at = $2 where size = $1',
};

export async function readHashes(tx: Executor, from: number, to: number): Promise<Buffer[]> {
  const rows = await tx.run<{ position: number; hash: Buffer }>(HASHES, [from, to]);
  const gap = rows.findIndex(({ position }, at) => position !== from + at);
  return rows.slice(0, gap < 0 ? rows.length : gap).map(({ hash }) => hash);
}

export async function areStored(tx: Executor, tiles: readonly Tile[]): Promise<boolean> {
  const [row] = await tx.run<{ count: number }>(SAME_TILES, [
    tiles.map(({ level }) => level),
    tiles.map(({ index }) => index),
    tiles.map(({ hashes }) => hashes),
  ]);
  return row?.count === tiles.length;
}

export function readCheckpoints(
  tx: Executor,
  from: number,
): Promise<{ size: number; note: string; isStored: boolean }[]> {
  return tx.run(CHECKPOINTS, [from]);
}

export async function findLastChecked(tx: Executor): Promise<LastCheckpoint | undefined> {
  const [row] = await tx.run<LastCheckpoint>(FIND_LAST_CHECKED, []);
  return row;
}

export async function markChecked(db: Executor, size: number, at: Date): Promise<void> {
  await db.run(MARK_CHECKED, [size, at]);
}
