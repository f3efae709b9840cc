import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { Executor, Statement } from '../../../kernel/db.ts';
import { requireSeenHere } from '../../../kernel/places.ts';
import type { Actor } from '../../../kernel/session.ts';
import { type Call, COLUMNS, type Side, sideOf } from './sides.ts';

const FIND: Statement = { name: 'calls-find', text: `select ${COLUMNS} from calls c where c.id = $1` };

/** Does not check access. */
export async function findCall(db: Executor, id: string): Promise<Call | undefined> {
  return (await db.run<Call>(FIND, [id]))[0];
}

/**
 * Throws NOT_FOUND for other users' calls, for a creator's screened calls, and for a fan's finished free calls with a
 * creator who is geo-blocked here.
 */
export async function accessCall(db: Executor, actor: Actor, id: string): Promise<{ call: Call; side: Side }> {
  const unsafeCall = await findCall(db, id);
  const side = unsafeCall && sideOf(unsafeCall, actor.userId);
  if (!unsafeCall || !side || (side === 'creator' && unsafeCall.isScreened)) throw new AppError('NOT_FOUND');
  if (side === 'fan' && unsafeCall.endedAt !== null && unsafeCall.chargedCents === 0)
    requireSeenHere(unsafeCall.creatorId);
  return { call: unsafeCall, side };
}

const OPEN_OF: Statement = {
  name: 'calls-open-of',
  text: `select ${COLUMNS} from calls c where c.fan_id = $1 and c.ended_at is null
    union all select ${COLUMNS} from calls c where c.creator_id = $1 and c.ended_at is null`,
};

export async function openCallOf(db: Executor, userId: string): Promise<Call | undefined> {
  return (await db.run<Call>(OPEN_OF, [userId]))[0];
}
