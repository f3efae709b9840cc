import type { Executor, Statement } from '../../kernel/db.ts';

export type ArchiveRow = {
  id: string;
  askedAt: Date;
  readyAt: Date | null;
  failedAt: Date | null;
  byteSize: number | null;
  expiresAt: Date | null;
  openedBy: string | null;
  openedUntil: Date | null;
};

const COLUMNS = `id, asked_at as "askedAt", ready_at as "readyAt", failed_at as "failedAt", byte_size as "byteSize", expires_at as "expiresAt",
  opened_by as "openedBy", opened_until as "openedUntil"`;
const FIND: Statement = { name: 'archives-find', text: `select ${COLUMNS} from archives where user_id = $1` };
/** Leaves an export that was created since $4, and one that is being created and was requested since $4. */
const ASK: Statement = {
  name: 'archives-ask',
  text: `insert into archives as a (user_id, id, asked_at) values ($1, $2, $3)
    on conflict (user_id) do update set id = excluded.id, asked_at = excluded.asked_at, ready_at = null, failed_at = null, byte_size = null,
      expires_at = null, opened_by = null, opened_until = null
    where a.failed_at is not null or a.ready_at < $4 or (a.ready_at is null and a.asked_at < $4) returning id`,
};
const LOCK: Statement = {
  name: 'archives-lock',
  text: `select ${COLUMNS} from archives where user_id = $1 for update`,
};
const READY: Statement = {
  name: 'archives-made',
  text: `update archives set ready_at = $3, byte_size = $4, expires_at = $5 where user_id = $1 and id = $2 and ready_at is null returning id`,
};
const FAIL: Statement = {
  name: 'archives-fail',
  text: 'update archives set failed_at = $3 where user_id = $1 and id = $2 and ready_at is null',
};
const OPEN: Statement = {
  name: 'archives-open',
  text: 'update archives set opened_by = $2, opened_until = $3 where user_id = $1',
};
const EXPIRE: Statement = {
  name: 'archives-expire',
  text: `delete from archives where user_id in (select user_id from archives where expires_at <= $1 order by expires_at limit $2 for update skip locked)
    returning id`,
};
const FORGET: Statement = { name: 'archives-forget', text: 'delete from archives where user_id = $1 returning id' };
const WANTED: Statement = {
  name: 'archives-wanted',
  text: 'select id, ready_at is null as "isMaking" from archives where id = any ($1::uuid[])',
};

export const findArchive = async (db: Executor, userId: string): Promise<ArchiveRow | undefined> =>
  (await db.run<ArchiveRow>(FIND, [userId]))[0];
export const lockArchive = async (tx: Executor, userId: string): Promise<ArchiveRow | undefined> =>
  (await tx.run<ArchiveRow>(LOCK, [userId]))[0];
/** Returns whether a new export was started. */
export const insertArchive = async (
  tx: Executor,
  asked: { userId: string; id: string; now: Date; freshSince: Date },
): Promise<boolean> => (await tx.run(ASK, [asked.userId, asked.id, asked.now, asked.freshSince])).length > 0;
/** Returns false when another export has replaced it. */
export const markReady = async (
  tx: Executor,
  made: { userId: string; id: string; now: Date; byteSize: number; expiresAt: Date },
): Promise<boolean> =>
  (await tx.run(READY, [made.userId, made.id, made.now, made.byteSize, made.expiresAt])).length > 0;
export const markFailed = (db: Executor, userId: string, id: string, now: Date) => db.run(FAIL, [userId, id, now]);
export const markOpened = (tx: Executor, userId: string, sessionId: string, until: Date) =>
  tx.run(OPEN, [userId, sessionId, until]);
export const takeExpired = (tx: Executor, now: Date, most: number) => tx.run<{ id: string }>(EXPIRE, [now, most]);
export const forgetArchive = (tx: Executor, userId: string) => tx.run<{ id: string }>(FORGET, [userId]);
export const findWanted = (db: Executor, ids: readonly string[]) =>
  db.run<{ id: string; isMaking: boolean }>(WANTED, [ids]);
