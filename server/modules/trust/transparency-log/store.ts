import type { Executor, SqlStatement } from '../../../platform/database/db.ts';
import type { ReadTile, Tile } from './tiles.ts';

export type LeafType = 'transaction' | 'commission' | 'order' | 'event' | 'decision' | 'kind';
export type LeafRow = { type: LeafType; rowId: string };

export const ROWS = `select 'transaction' as type, id as row_id, xid, occurred_at as at from ledger_transactions
  union all select 'commission', id, xid, occurred_at from ledger_transactions where kind = 'commission'
  union all select 'order', id, xid, created_at from deposits
  union all select 'event', id, xid, received_at from processor_webhooks
  union all select 'decision', id, xid, decided_at from processor_webhook_decisions
  union all select 'decision', id, xid, decided_at from debt_decisions
  union all select 'decision', id, xid, explained_at from reconciliation_explanations
  union all select 'decision', id, xid, at from audit_log
  union all select 'decision', id, xid, at from approval_requests where kind <> 'setting'
  union all select 'decision', id, xid, at from processor_settlements
  union all select 'order', id, xid, created_at from payouts`;
export const NOT_SEQUENCED =
  'not exists (select from transparency_leaves l where l.row_id = r.row_id and l.type = r.type)';

export const HASH = `sha256('\\x00'::bytea || convert_to(transparency_data(l.salt, l.type, r.body, r.sealed), 'UTF8'))`;
export const LEAST_ID = '00000000-0000-0000-0000-000000000000';

/** Returns false when another process has the lock. */
const LOCK_LOG: SqlStatement = {
  name: 'transparency-log-lock',
  text: `select pg_try_advisory_xact_lock(hashtext('transparency')) as "isLocked"`,
};
/** Forces custom plans, because the best plan depends on the number of rows. */
export const PLAN: SqlStatement = {
  name: 'transparency-log-plan',
  text: 'set local plan_cache_mode = force_custom_plan',
};

export async function lockLog(tx: Executor): Promise<boolean> {
  const [row] = await tx.run<{ isLocked: boolean }>(LOCK_LOG, []);
  if (row?.isLocked !== true) return false;
  await tx.run(PLAN, []);
  return true;
}

const LOCK_STORING: SqlStatement = {
  name: 'transparency-log-lock-storing',
  text: `select pg_try_advisory_xact_lock(hashtext('transparency store')) as "isLocked"`,
};

export async function lockStoring(tx: Executor): Promise<boolean> {
  const [row] = await tx.run<{ isLocked: boolean }>(LOCK_STORING, []);
  return row?.isLocked === true;
}

export type LastCheckpoint = { size: number; note: string; watermark: number; systemIdentifier: string };

const LAST: SqlStatement = {
  name: 'transparency-log-last',
  text: `select size, note, watermark, system_identifier as "systemIdentifier", made_at as "madeAt" from transparency_checkpoints order by size desc limit 1`,
};

export async function findLastCheckpoint(db: Executor): Promise<(LastCheckpoint & { madeAt: Date }) | undefined> {
  const [row] = await db.run<LastCheckpoint & { madeAt: Date }>(LAST, []);
  return row;
}

/** Transactions before `xmin` have ended. No row of this cluster has a number from `xmax` on yet. */
export type LogSnapshot = { xmin: number; xmax: number; systemIdentifier: string };

const SNAPSHOT: SqlStatement = {
  name: 'transparency-log-snapshot',
  text: `select pg_snapshot_xmin(s)::text::bigint as xmin, pg_snapshot_xmax(s)::text::bigint as xmax,
    (select system_identifier::text from pg_control_system()) as "systemIdentifier" from pg_current_snapshot() s`,
};

export async function readSnapshot(tx: Executor): Promise<LogSnapshot> {
  const [row] = await tx.run<LogSnapshot>(SNAPSHOT, []);
  if (!row) throw new Error('no snapshot');
  return row;
}

const LIST_UNSEQUENCED: SqlStatement = {
  name: 'transparency-log-list-unsequenced',
  text: `select type, row_id as "rowId" from (
      select type, row_id, xid from (${ROWS}) r where xid >= $1 and xid < $2
      union all select 'kind', md5(kind)::uuid, 0 from ledger_kinds) r
    where ${NOT_SEQUENCED} order by xid, type, row_id limit $3`,
};

/** At most `limit` rows without a position that transactions from `from` to `to` (exclusive) wrote, and kinds. */
export function listUnsequenced(
  tx: Executor,
  { from, to, limit }: Record<'from' | 'to' | 'limit', number>,
): Promise<LeafRow[]> {
  return tx.run<LeafRow>(LIST_UNSEQUENCED, [from, to, limit]);
}

const INSERT_LEAVES: SqlStatement = {
  name: 'transparency-log-insert-leaves',
  text: `with l as materialized (
      select ordinality, type, row_id, uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) as salt
      from unnest($1::text[], $2::uuid[]) with ordinality as given (type, row_id, ordinality)
    ), placed as (
      insert into transparency_leaves (position, type, row_id, salt, hash)
        select $3::bigint + l.ordinality - 1, l.type, l.row_id, l.salt, ${HASH}
        from l join transparency_rows($4::uuid, $5::uuid) r using (type, row_id) returning position, hash
    ) select hash from placed order by position`,
};

export async function insertLeaves(tx: Executor, size: number, rows: readonly LeafRow[]): Promise<Buffer[]> {
  const ids = rows.filter(({ type }) => type !== 'kind').map(({ rowId }) => rowId);
  const [least = LEAST_ID, greatest = LEAST_ID] =
    ids.length === 0 ? [] : [ids.reduce(getLesser), ids.reduce(getGreater)];
  const inserted = await tx.run<{ hash: Buffer }>(INSERT_LEAVES, [
    rows.map(({ type }) => type),
    rows.map(({ rowId }) => rowId),
    size,
    least,
    greatest,
  ]);
  if (inserted.length !== rows.length) throw new Error(`${rows.length - inserted.length} rows have gone`);
  return inserted.map(({ hash }) => hash);
}

const getLesser = (a: string, b: string) => (a < b ? a : b);
const getGreater = (a: string, b: string) => (a > b ? a : b);

const TILE: SqlStatement = {
  name: 'transparency-log-tile',
  text: 'select hashes from transparency_tiles where level = $1 and index = $2',
};
const PUT_TILES: SqlStatement = {
  name: 'transparency-log-put-tiles',
  text: `insert into transparency_tiles (level, index, hashes) select * from unnest($1::smallint[], $2::bigint[], $3::bytea[])
    on conflict (level, index) do update set hashes = excluded.hashes`,
};

export function createTileReader(db: Executor): ReadTile {
  const cache = new Map<string, Promise<Buffer | undefined>>();
  return (level, index) => {
    const key = `${level}/${index}`;
    const tile = cache.get(key) ?? db.run<Pick<Tile, 'hashes'>>(TILE, [level, index]).then(([row]) => row?.hashes);
    cache.set(key, tile);
    return tile;
  };
}

export async function saveTiles(tx: Executor, tiles: readonly Tile[]): Promise<void> {
  await tx.run(PUT_TILES, [
    tiles.map(({ level }) => level),
    tiles.map(({ index }) => index),
    tiles.map(({ hashes }) => hashes),
  ]);
}

const CHECKPOINT: SqlStatement = {
  name: 'transparency-log-checkpoint',
  text: `insert into transparency_checkpoints (size, note, watermark, system_identifier, made_at) values ($1, $2, $3, $4, $5)`,
};
const MOVE_WATERMARK: SqlStatement = {
  name: 'transparency-log-watermark',
  text: 'update transparency_checkpoints set watermark = $2, system_identifier = $3 where size = $1',
};
const UNSTORED: SqlStatement = {
  name: 'transparency-log-unstored',
  text: 'select size, note from transparency_checkpoints where stored_at is null order by size',
};
const STORED: SqlStatement = {
  name: 'transparency-log-stored',
  text: 'update transparency_checkpoints set stored_at = $2 where size = $1',
};

export async function insertCheckpoint(tx: Executor, checkpoint: LastCheckpoint & { at: Date }): Promise<void> {
  await tx.run(CHECKPOINT, [
    checkpoint.size,
    checkpoint.note,
    checkpoint.watermark,
    checkpoint.systemIdentifier,
    checkpoint.at,
  ]);
}

export async function moveWatermark(
  tx: Executor,
  { size, watermark, systemIdentifier }: Omit<LastCheckpoint, 'note'>,
): Promise<void> {
  await tx.run(MOVE_WATERMARK, [size, watermark, systemIdentifier]);
}

export function listUnstoredCheckpoints(db: Executor): Promise<{ size: number; note: string }[]> {
  return db.run(UNSTORED, []);
}

export async function markStored(db: Executor, size: number, at: Date): Promise<void> {
  await db.run(STORED, [size, at]);
}

const PRUNE: SqlStatement = {
  name: 'transparency-log-prune',
  text: `delete from transparency_checkpoints c where c.made_at < (select max(made_at) from transparency_checkpoints) - interval '30 days'
    and exists (select from transparency_checkpoints l where l.size > c.size
      and date_trunc('day', l.made_at, 'UTC') = date_trunc('day', c.made_at, 'UTC')) returning size`,
};

/** Deletes checkpoints that are a month older than the newest, except the last one of each day. Returns their sizes. */
export async function deleteOldCheckpoints(db: Executor): Promise<number[]> {
  return (await db.run<{ size: number }>(PRUNE, [])).map(({ size }) => size);
}

const COUNT_UNSEQUENCED: SqlStatement = {
  name: 'transparency-log-late',
  text: `select count(*)::int as count from (${ROWS}) r where xid >= $1 and at < $2 and ${NOT_SEQUENCED}`,
};

export async function countUnsequenced(db: Executor, watermark: number, before: Date): Promise<number> {
  const [row] = await db.run<{ count: number }>(COUNT_UNSEQUENCED, [watermark, before]);
  return row?.count ?? 0;
}
