/** Times come from the caller, so that one clock applies. */

import type { OperatorRole } from '@stagedoor/contract/admin/operator-rights.ts';
import type { UserType } from '@stagedoor/contract/identity/accounts.ts';
import type { SessionId, UserId } from '@stagedoor/contract/shared/ids.ts';
import type { Restrictions } from '@stagedoor/contract/shared/restrictions.ts';
import type { Insertable, Selectable, Updateable } from 'kysely';
import type { Executor, SqlStatement, Tables } from '../../../platform/database/db.ts';

export type User = Omit<Selectable<Tables['users']>, 'id' | 'type'> & { id: UserId; type: UserType };
export type SessionRow = Omit<Selectable<Tables['sessions']>, 'id' | 'user_id'> & { id: SessionId; user_id: UserId };

export async function findUserById(db: Executor, id: string): Promise<User | undefined> {
  return db.query.selectFrom('users').selectAll().where('id', '=', id).$castTo<User>().executeTakeFirst();
}

export type UserState = Pick<User, 'id' | 'type' | 'is_blocked'>;

const FIND_STATE: SqlStatement = {
  name: 'accounts-state',
  text: 'select id, type, is_blocked from users where id = $1',
};

export async function findUserState(db: Executor, id: string): Promise<UserState | undefined> {
  const [state] = await db.run<UserState>(FIND_STATE, [id]);
  return state;
}

/** Like {@link findUserById}, and locks the row until the transaction ends. */
export async function lockUser(tx: Executor, id: string): Promise<User | undefined> {
  return tx.query
    .selectFrom('users')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .$castTo<User>()
    .executeTakeFirst();
}

/** Ignores case. A username has no `@`, so it never equals an address. */
export async function findUserByLogin(db: Executor, name: string): Promise<User | undefined> {
  return db.query
    .selectFrom('users')
    .selectAll()
    .where(name.includes('@') ? 'email' : 'username', '=', name)
    .$castTo<User>()
    .executeTakeFirst();
}

const FIND_TAKEN: SqlStatement = {
  name: 'accounts-taken',
  text: `select exists (select 1 from users where username = $1::citext) as username,
                exists (select 1 from users where email = $2::citext) as email`,
};

/** Reads both in one snapshot. */
export async function findTaken(
  db: Executor,
  names: { username?: string; email?: string },
): Promise<{ username: boolean; email: boolean }> {
  const values = [names.username ?? null, names.email ?? null];
  const [taken] = await db.run<{ username: boolean; email: boolean }>(FIND_TAKEN, values);
  return taken ?? { username: false, email: false };
}

export async function insertUser(tx: Executor, row: Insertable<Tables['users']>): Promise<void> {
  await tx.query.insertInto('users').values(row).execute();
}

export async function insertCreator(tx: Executor, userId: string, createdAt: Date): Promise<void> {
  await tx.query.insertInto('creators').values({ user_id: userId, created_at: createdAt }).execute();
}

export async function updateUser(tx: Executor, id: string, changes: Updateable<Tables['users']>): Promise<void> {
  await tx.query.updateTable('users').set(changes).where('id', '=', id).execute();
}

export type FoundSession = {
  id: SessionId;
  user_id: UserId;
  created_at: Date;
  last_seen_at: Date;
  type: UserType;
  username: string;
  is_blocked: boolean;
  has_second_factor: boolean;
  restrictions: Restrictions | null;
  roles: OperatorRole[];
  step_up_at: Date | null;
  on_behalf_of_id: UserId | null;
};

const FIND_SESSION: SqlStatement = {
  name: 'accounts-find-session',
  text: `select s.id, s.user_id, s.created_at, s.last_seen_at, u.type, u.username, u.is_blocked,
           u.two_factor_enabled_at is not null as has_second_factor, u.restrictions, u.operator_roles as roles, s.step_up_at, s.on_behalf_of_id
         from sessions s join users u on u.id = s.user_id
         where s.token_hash = $1 and s.expires_at > $2 and s.last_seen_at > $3`,
};

export async function findSession(
  db: Executor,
  tokenHash: Buffer,
  now: Date,
  seenSince: Date,
): Promise<FoundSession | undefined> {
  return (await db.run<FoundSession>(FIND_SESSION, [tokenHash, now, seenSince]))[0];
}

const TOUCH_SESSION: SqlStatement = {
  name: 'accounts-touch-session',
  text: `with touched as (update sessions set last_seen_at = $2 where id = $1 and last_seen_at < $2 returning user_id)
         update users set last_seen_at = $2 where id in (select user_id from touched)`,
};

export async function touchSession(db: Executor, id: SessionId, now: Date): Promise<void> {
  await db.run(TOUCH_SESSION, [id, now]);
}

export async function insertSession(tx: Executor, row: Insertable<Tables['sessions']>): Promise<void> {
  await tx.query.insertInto('sessions').values(row).execute();
}

const REPLACE_SESSION: SqlStatement = {
  name: 'accounts-replace-session',
  text: `insert into sessions (id, user_id, token_hash, device, display_mode, created_at, last_seen_at, expires_at, on_behalf_of_id)
    select $3, user_id, $4, device, display_mode, created_at, last_seen_at, expires_at, $5 from sessions where id = $1 and user_id = $2 returning id`,
};

type SessionReplacement = {
  sessionId: string;
  userId: string;
  id: string;
  tokenHash: Buffer;
  creatorId: string | null;
};
/** Returns whether the original existed. */
export async function replaceSession(tx: Executor, replacement: SessionReplacement): Promise<boolean> {
  return (
    (
      await tx.run(REPLACE_SESSION, [
        replacement.sessionId,
        replacement.userId,
        replacement.id,
        replacement.tokenHash,
        replacement.creatorId,
      ])
    ).length > 0
  );
}

export async function deleteDelegatedSessions(tx: Executor, creatorId: string, memberId: string): Promise<string[]> {
  const deleted = await tx.query
    .deleteFrom('sessions')
    .where('user_id', '=', memberId)
    .where('on_behalf_of_id', '=', creatorId)
    .returning('id')
    .execute();
  return deleted.map(({ id }) => id);
}

export async function listSessions(
  db: Executor,
  userId: string,
  now: Date,
  seenSince: Date,
  limit: number,
): Promise<SessionRow[]> {
  return db.query
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .where('last_seen_at', '>', seenSince)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .$castTo<SessionRow>()
    .execute();
}

export async function deleteSession(tx: Executor, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx.query
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function deleteSessions(tx: Executor, userId: string, except?: string): Promise<string[]> {
  let statement = tx.query.deleteFrom('sessions').where('user_id', '=', userId);
  if (except !== undefined) statement = statement.where('id', '!=', except);
  return (await statement.returning('id').execute()).map(({ id }) => id);
}

const TRIM_SESSIONS: SqlStatement = {
  name: 'accounts-trim-sessions',
  text: `delete from sessions where id in (
           select id from sessions where user_id = $1 order by last_seen_at desc, id desc offset $2)`,
};

export async function trimSessions(tx: Executor, userId: string, count: number): Promise<void> {
  await tx.run(TRIM_SESSIONS, [userId, count]);
}

export type MailPurpose = LinkPurpose | 'staff';
/** Links that users request themselves. */
export type LinkPurpose = 'verify' | 'reset';
export type MailToken = Selectable<Tables['mail_tokens']>;

export async function insertMailToken(tx: Executor, row: Insertable<Tables['mail_tokens']>): Promise<void> {
  await tx.query.insertInto('mail_tokens').values(row).execute();
}

/** Finds tokens that have not expired, including used ones. */
export async function findMailToken(
  db: Executor,
  tokenHash: Buffer,
  purpose: MailPurpose,
  now: Date,
): Promise<MailToken | undefined> {
  return db.query
    .selectFrom('mail_tokens')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

export async function useMailTokens(tx: Executor, userId: string, purpose: MailPurpose, now: Date): Promise<void> {
  await tx.query
    .updateTable('mail_tokens')
    .set({ used_at: now })
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .execute();
}

export async function hasOpenMailToken(
  db: Executor,
  userId: string,
  purpose: MailPurpose,
  now: Date,
): Promise<boolean> {
  const row = await db.query
    .selectFrom('mail_tokens')
    .select('token_hash')
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row !== undefined;
}

export async function hasMailTokenSince(
  db: Executor,
  userId: string,
  purpose: MailPurpose,
  since: Date,
): Promise<boolean> {
  const row = await db.query
    .selectFrom('mail_tokens')
    .select('token_hash')
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .where('created_at', '>', since)
    .executeTakeFirst();
  return row !== undefined;
}

/** The path of the latest link, which the next one repeats. */
export async function findNextPath(db: Executor, userId: string, purpose: MailPurpose): Promise<string | null> {
  const row = await db.query
    .selectFrom('mail_tokens')
    .select('next_path')
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.next_path ?? null;
}

export async function replaceRecoveryCodes(tx: Executor, userId: string, hashes: readonly Buffer[]): Promise<void> {
  await tx.query.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  if (hashes.length === 0) return;
  const rows = hashes.map((hash) => ({ user_id: userId, code_hash: hash }));
  await tx.query.insertInto('recovery_codes').values(rows).execute();
}

/** Returns whether it was valid and unused. */
export async function useRecoveryCode(tx: Executor, userId: string, hash: Buffer, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx.query
    .updateTable('recovery_codes')
    .set({ used_at: now })
    .where('user_id', '=', userId)
    .where('code_hash', '=', hash)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

const PURGE = [
  { name: 'accounts-purge-sessions', text: 'delete from sessions where expires_at <= $1 or last_seen_at <= $2' },
  {
    name: 'accounts-purge-mail-tokens',
    text: 'delete from mail_tokens where expires_at <= $1 and $2::timestamptz is not null',
  },
  {
    name: 'accounts-purge-names',
    text: 'delete from reserved_usernames where until <= $1 and $2::timestamptz is not null',
  },
  {
    name: 'accounts-purge-attempts',
    text: 'delete from login_attempts where window_ends_at <= $1 and $2::timestamptz is not null',
  },
] as const;

export async function purgeExpiredRows(db: Executor, now: Date, seenSince: Date): Promise<void> {
  for (const statement of PURGE) await db.run(statement, [now, seenSince]);
}
