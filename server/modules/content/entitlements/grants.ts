/**
 * Access without a purchase: gifts of one subject and subscriptions to a creator. The calling modules decide who may
 * grant it.
 */
import type { DbTransaction, Executor, SqlStatement } from '../../../platform/database/db.ts';
import { afterIdSql } from '../../../platform/database/pagination.ts';

declare module '../../../platform/events/event-types.ts' {
  interface EventMap {
    'entitlement.revoked': { fanId: string; subjectId: string; source: AccessGrant['source'] };
  }
}

export type AccessGrant = {
  fanId: string;
  /** A post or message, or what contains them: a creator (the posts) or a broadcast (its messages). */
  subjectId: string;
  source: 'gift' | 'subscription';
  grantedBy: string;
  until: Date | null;
  at: Date;
};

const GRANT: SqlStatement = {
  name: 'entitlements-grant',
  text: `insert into entitlement_grants (fan_id, subject_id, source, granted_by, until, created_at) values ($1, $2, $3, $4, $5, $6)
    on conflict (fan_id, subject_id, source) do update set granted_by = excluded.granted_by, until = excluded.until, revoked_at = null`,
};
const REVOKE: SqlStatement = {
  name: 'entitlements-revoke',
  text: `update entitlement_grants set revoked_at = $4 where fan_id = $1 and subject_id = $2 and source = $3 and revoked_at is null
    returning 1 as revoked`,
};

export async function grantAccess(tx: DbTransaction, grant: AccessGrant): Promise<void> {
  const { fanId, subjectId, source, grantedBy, until, at } = grant;
  await tx.run(GRANT, [fanId, subjectId, source, grantedBy, until, at]);
}

/** Returns whether there was a grant. */
export async function revokeAccess(
  tx: DbTransaction,
  { fanId, subjectId, source, at }: Pick<AccessGrant, 'fanId' | 'subjectId' | 'source' | 'at'>,
): Promise<boolean> {
  const isRevoked = (await tx.run(REVOKE, [fanId, subjectId, source, at])).length > 0;
  if (isRevoked) await tx.emit('entitlement.revoked', { fanId, subjectId, source });
  return isRevoked;
}

const COPY: SqlStatement = {
  name: 'entitlements-copy',
  text: `with batch as (
      select fan_id, granted_by, until from entitlement_grants
      where subject_id = $1 and source = $3 and revoked_at is null and (until is null or until > now()) and ${afterIdSql('fan_id', '$5')}
      order by fan_id limit $6),
    copied as (
      insert into entitlement_grants as g (fan_id, subject_id, source, granted_by, until, created_at)
        select fan_id, $2, $3, granted_by, until, $4 from batch
      on conflict (fan_id, subject_id, source) do update set granted_by = excluded.granted_by, revoked_at = null,
        until = case when g.revoked_at is not null then excluded.until when g.until is null or excluded.until is null then null
          else greatest(g.until, excluded.until) end)
    select fan_id from batch order by fan_id`,
};

/**
 * Grants a subject to the next fans who have access to another one, until the same time. Idempotent. Returns the last
 * fan's id to continue after, or null at the end.
 */
export async function copyGrants(
  db: Executor,
  { fromId, toId, source, at }: { fromId: string; toId: string; source: AccessGrant['source']; at: Date },
  after: string | null,
  size: number,
): Promise<string | null> {
  const rows = await db.run<{ fan_id: string }>(COPY, [fromId, toId, source, at, after, size]);
  return rows.length === size ? (rows.at(-1)?.fan_id ?? null) : null;
}
