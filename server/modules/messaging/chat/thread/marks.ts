/** Delivered and read watermarks of a conversation. Clients name message ids, and the watermarks only rise. */
import { CHAT_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import type { Executor, SqlStatement } from '../../../../platform/database/db.ts';
import type { Actor } from '../../../../platform/security/session.ts';

const SAVE_MARKS: SqlStatement = {
  name: 'chat-mark',
  text: 'select owner_id as "ownerId", up_to as "upTo", ids from chat_mark_messages($1, $2, $3::uuid[], $4, $5)',
};

export type MarkResult = { ownerId: string; upTo: number; ids: string[] };

/**
 * Marks the other side's messages up to the newest given one. Returns undefined when the conversation is another user's
 * or nothing changes.
 */
export async function saveMarks(
  db: Executor,
  actor: Actor,
  {
    conversationId,
    msgIds,
    status,
  }: { conversationId: string; msgIds: readonly string[]; status: 'delivered' | 'read' },
): Promise<MarkResult | undefined> {
  const values = [actor.userId, conversationId, msgIds, status === 'read', CHAT_LIMITS.statusIdsMax];
  const [result] = await db.run<MarkResult>(SAVE_MARKS, values);
  return result;
}
