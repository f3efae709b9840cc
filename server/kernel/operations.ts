/** Idempotency keys of calls that move no money. The ledger stores its own. */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { Statement, Transaction } from './db.ts';

const CLAIM: Statement = {
  name: 'operation-claim',
  text: 'insert into operations (actor_id, operation_id, request_hash, subject_id) values ($1, $2, $3, $4) on conflict do nothing returning 1 as made',
};
const FIND: Statement = {
  name: 'operation-find',
  text: 'select request_hash, subject_id from operations where actor_id = $1 and operation_id = $2',
};

export type Operation = { actorId: string; operationId: string; requestHash: Buffer; subjectId: string };

/**
 * Claims an idempotency key for `subjectId`. Returns undefined when it was free, otherwise the subject of the earlier
 * call. Waits for a concurrent call. Throws CONFLICT when the request differs.
 */
export async function claimOperation(tx: Transaction, operation: Operation): Promise<string | undefined> {
  const { actorId, operationId, requestHash, subjectId } = operation;
  const claimed = await tx.run(CLAIM, [actorId, operationId, requestHash, subjectId]);
  if (claimed.length > 0) return undefined;
  const [earlier] = await tx.run<{ request_hash: Buffer; subject_id: string | null }>(FIND, [actorId, operationId]);
  if (!earlier?.subject_id || !earlier.request_hash.equals(requestHash)) {
    throw new AppError('CONFLICT', { message: 'This Idempotency-Key was used for another request.' });
  }
  return earlier.subject_id;
}
