/** Media in messages may still be processing and may be attached to several messages. */
import type { DbTransaction, SqlStatement } from '../../../platform/database/db.ts';
import type { MediaKind, MediaStatus } from './store.ts';

const LOCK: SqlStatement = {
  name: 'media-lock-own',
  text: `select id, kind, status, failure, used_at is not null as "isUsed" from media
    where owner_id = $1 and id = any ($2::uuid[]) and taken_down_at is null order by id for no key update`,
};
const MARK_USED: SqlStatement = {
  name: 'media-use',
  text: 'update media set used_at = $2 where id = any ($1::uuid[]) and used_at is null',
};

export type OwnMedia = { id: string; kind: MediaKind; status: MediaStatus; failure: string | null; isUsed: boolean };

/**
 * Leaves out taken-down media. Locks the rest until the transaction ends, so that they cannot be deleted or claimed.
 */
export function lockOwnMedia(tx: DbTransaction, ownerId: string, ids: readonly string[]): Promise<OwnMedia[]> {
  return tx.run<OwnMedia>(LOCK, [ownerId, ids]);
}

/** No post can claim used media, and they cannot be deleted. */
export async function markMediaUsed(tx: DbTransaction, ids: readonly string[], at: Date): Promise<void> {
  await tx.run(MARK_USED, [ids, at]);
}
