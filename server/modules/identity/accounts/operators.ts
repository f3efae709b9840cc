import type { OperatorRole } from '@stagedoor/contract/admin/operator-rights.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction, Executor, SqlStatement } from '../../../platform/database/db.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { toAvatarUrl } from './present.ts';
import * as store from './store.ts';

export type OperatorAccount = {
  id: store.User['id'];
  username: string;
  name: string;
  avatarUrl: string | null;
  roles: OperatorRole[];
  hasSecondFactor: boolean;
  isBlocked: boolean;
  lastSeenAt: Date | null;
  /** Expired sessions are not counted. */
  sessions: number;
};
type OperatorRow = Omit<OperatorAccount, 'avatarUrl'> & { avatarKey: string | null };

const LIST: SqlStatement = {
  name: 'accounts-operators',
  text: `select u.id, u.username, u.name, u.avatar_key as "avatarKey", u.operator_roles as roles, u.is_blocked as "isBlocked",
      u.two_factor_enabled_at is not null as "hasSecondFactor", u.last_seen_at as "lastSeenAt",
      (select count(*)::int from sessions s where s.user_id = u.id and s.last_seen_at > $1 and s.created_at > $2) as sessions
    from users u where u.type = 'operator' and ($3::uuid is null or u.id = $3) order by u.username`,
};

export async function listOperators(
  { clock, config }: Pick<Context, 'clock' | 'config'>,
  db: Executor,
  id?: string,
): Promise<OperatorAccount[]> {
  const { idleMs, lifetimeMs } = config.operatorSessions;
  const now = clock.now().getTime();
  const rows = await db.run<OperatorRow>(LIST, [new Date(now - idleMs), new Date(now - lifetimeMs), id ?? null]);
  return rows.map(({ avatarKey, ...row }) => ({ ...row, avatarUrl: toAvatarUrl(avatarKey) }));
}

const LOCK: SqlStatement = {
  name: 'accounts-lock-operators',
  text: `select id, operator_roles as roles from users where type = 'operator' order by id for no key update`,
};

/** Locks the roles until the transaction ends. */
export async function lockOperators(tx: DbTransaction): Promise<Map<string, readonly OperatorRole[]>> {
  const rows = await tx.run<{ id: string; roles: OperatorRole[] }>(LOCK, []);
  return new Map(rows.map(({ id, roles }) => [id, roles]));
}

/** Returns the ended sessions, which the caller removes from the cache after the commit. */
export async function setOperatorRoles(
  tx: DbTransaction,
  userId: string,
  roles: readonly OperatorRole[],
): Promise<string[]> {
  await store.updateUser(tx, userId, { type: 'operator', operator_roles: [...roles] });
  return store.deleteSessions(tx, userId);
}

export async function recordStepUp(
  tx: DbTransaction,
  { sessionId }: Pick<Actor, 'sessionId'>,
  at: Date,
): Promise<void> {
  await tx.query.updateTable('sessions').set({ step_up_at: at }).where('id', '=', sessionId).execute();
}
