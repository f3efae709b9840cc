/** Rights that nobody paid a sale for: gifts of one thing, subscriptions to all of a creator's. Who may give them is for the rooms above to say. */
import type { Statement, Transaction } from '../../kernel/db.ts';

declare module '../../kernel/events.ts' {
  interface EventMap {
    /** A gift or subscription was taken back before its end. */
    'entitlement.revoked': { fanId: string; subjectId: string; source: Grant['source'] };
  }
}

export type Grant = {
  fanId: string;
  /** A post, a message, or what these are parts of: a creator (their posts), a broadcast (its messages). */
  subjectId: string;
  source: 'gift' | 'subscription';
  grantedBy: string;
  /** When it ends by itself; null never. */
  until: Date | null;
  at: Date;
};

const GRANT: Statement = {
  name: 'entitlements-grant',
  text: `insert into entitlement_grants (fan_id, subject_id, source, granted_by, until, created_at) values ($1, $2, $3, $4, $5, $6)
    on conflict (fan_id, subject_id, source) do update set granted_by = excluded.granted_by, until = excluded.until, revoked_at = null`,
};
const REVOKE: Statement = {
  name: 'entitlements-revoke',
  text: `update entitlement_grants set revoked_at = $4 where fan_id = $1 and subject_id = $2 and source = $3 and revoked_at is null
    returning 1 as revoked`,
};

/** Gives a right, or gives it anew with another end. It holds from the commit on. */
export async function grantAccess(tx: Transaction, grant: Grant): Promise<void> {
  const { fanId, subjectId, source, grantedBy, until, at } = grant;
  await tx.run(GRANT, [fanId, subjectId, source, grantedBy, until, at]);
}

/** Takes a right back from the commit on. Answers whether there was one. */
export async function revokeAccess(
  tx: Transaction,
  { fanId, subjectId, source, at }: Pick<Grant, 'fanId' | 'subjectId' | 'source' | 'at'>,
): Promise<boolean> {
  const isRevoked = (await tx.run(REVOKE, [fanId, subjectId, source, at])).length > 0;
  if (isRevoked) await tx.emit('entitlement.revoked', { fanId, subjectId, source });
  return isRevoked;
}
