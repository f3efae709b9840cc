/**
 * Access without a purchase: gifts of one subject and subscriptions to a creator. The calling modules decide who may
 * grant it.
 */
import type { DbTransaction, SqlStatement } from '../../../platform/database/db.ts';

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
