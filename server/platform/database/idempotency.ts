/** Idempotency keys of calls that move no money. The ledger stores its own. */
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { DbTransaction, SqlStatement } from './db.ts';

const CLAIM: SqlStatement = {
  name: 'idempotency-claim',
  text: 'insert into idempotency_keys (actor_id, operation_id, request_hash, subject_id) values ($1, $2, $3, $4) on conflict do nothing returning 1 as made',
};
const FIND: SqlStatement = {
  name: 'idempotency-find',
  text: 'select request_hash, subject_id from idempotency_keys where actor_id = $1 and operation_id = $2',
};

export type IdempotentOperation = { actorId: string; operationId: string; requestHash: Buffer; subjectId: string };

/**
 * Claims an idempotency key for `subjectId`. Returns undefined when it was free, otherwise the subject of the earlier
 * call. Waits for a concurrent call. Throws CONFLICT when the request differs.
 */
export async function claimIdempotencyKey(tx: DbTransaction, input: IdempotentOperation): Promise<string | undefined> {
  const { actorId, operationId, requestHash, subjectId } = input;
  const claimed = await tx.run(CLAIM, [actorId, operationId, requestHash, subjectId]);
  if (claimed.length > 0) return undefined;
  const [earlier] = await tx.run<{ request_hash: Buffer; subject_id: string | null }>(FIND, [actorId, operationId]);
  if (!earlier?.subject_id || !earlier.request_hash.equals(requestHash)) {
    throw new AppError('CONFLICT', { message: 'This Idempotency-Key was used for another request.' });
  }
  return earlier.subject_id;
}
