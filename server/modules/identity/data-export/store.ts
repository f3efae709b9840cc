import type { Executor, SqlStatement } from '../../../platform/database/db.ts';

export type DataExportRow = {
  id: string;
  requestedAt: Date;
  readyAt: Date | null;
  failedAt: Date | null;
  byteSize: number | null;
  expiresAt: Date | null;
  unlockedBy: string | null;
  unlockedUntil: Date | null;
};

const COLUMNS = `id, requested_at as "requestedAt", ready_at as "readyAt", failed_at as "failedAt", byte_size as "byteSize", expires_at as "expiresAt",
  unlocked_by as "unlockedBy", unlocked_until as "unlockedUntil"`;
const FIND: SqlStatement = {
  name: 'data-exports-find',
  text: `select ${COLUMNS} from data_exports where user_id = $1`,
};
/** Leaves an export that was created since $4, and one that is being created and was requested since $4. */
const REQUEST: SqlStatement = {
  name: 'data-exports-request',
  text: `insert into data_exports as a (user_id, id, requested_at) values ($1, $2, $3)
    on conflict (user_id) do update set id = excluded.id, requested_at = excluded.requested_at, ready_at = null, failed_at = null, byte_size = null,
      expires_at = null, unlocked_by = null, unlocked_until = null
    where a.failed_at is not null or a.ready_at < $4 or (a.ready_at is null and a.requested_at < $4) returning id`,
};
const LOCK: SqlStatement = {
  name: 'data-exports-lock',
  text: `select ${COLUMNS} from data_exports where user_id = $1 for update`,
};
const MARK_READY: SqlStatement = {
  name: 'data-exports-ready',
  text: `update data_exports set ready_at = $3, byte_size = $4, expires_at = $5 where user_id = $1 and id = $2 and ready_at is null returning id`,
};
const MARK_FAILED: SqlStatement = {
  name: 'data-exports-fail',
  text: 'update data_exports set failed_at = $3 where user_id = $1 and id = $2 and ready_at is null',
};
const UNLOCK: SqlStatement = {
  name: 'data-exports-unlock',
  text: 'update data_exports set unlocked_by = $2, unlocked_until = $3 where user_id = $1',
};
const DELETE_EXPIRED: SqlStatement = {
  name: 'data-exports-delete-expired',
  text: `delete from data_exports where user_id in (select user_id from data_exports where expires_at <= $1 order by expires_at limit $2 for update skip locked)
    returning id`,
};
const DELETE: SqlStatement = {
  name: 'data-exports-delete',
  text: 'delete from data_exports where user_id = $1 returning id',
};
const FIND_KNOWN: SqlStatement = {
  name: 'data-exports-find-known',
  text: 'select id, ready_at is null as "isInProgress" from data_exports where id = any ($1::uuid[])',
};

export const findExport = async (db: Executor, userId: string): Promise<DataExportRow | undefined> =>
  (await db.run<DataExportRow>(FIND, [userId]))[0];
export const lockExport = async (tx: Executor, userId: string): Promise<DataExportRow | undefined> =>
  (await tx.run<DataExportRow>(LOCK, [userId]))[0];
/** Returns whether a new export was started. */
export const insertExport = async (
  tx: Executor,
  input: { userId: string; id: string; now: Date; freshSince: Date },
): Promise<boolean> => (await tx.run(REQUEST, [input.userId, input.id, input.now, input.freshSince])).length > 0;
/** Returns false when another export has replaced it. */
export const markExportReady = async (
  tx: Executor,
  input: { userId: string; id: string; now: Date; byteSize: number; expiresAt: Date },
): Promise<boolean> =>
  (await tx.run(MARK_READY, [input.userId, input.id, input.now, input.byteSize, input.expiresAt])).length > 0;
export const markExportFailed = (db: Executor, userId: string, id: string, now: Date) =>
  db.run(MARK_FAILED, [userId, id, now]);
export const markExportUnlocked = (tx: Executor, userId: string, sessionId: string, until: Date) =>
  tx.run(UNLOCK, [userId, sessionId, until]);
export const deleteExpired = (tx: Executor, now: Date, max: number) =>
  tx.run<{ id: string }>(DELETE_EXPIRED, [now, max]);
export const deleteExportRow = (tx: Executor, userId: string) => tx.run<{ id: string }>(DELETE, [userId]);
export const findKnownExports = (db: Executor, ids: readonly string[]) =>
  db.run<{ id: string; isInProgress: boolean }>(FIND_KNOWN, [ids]);
