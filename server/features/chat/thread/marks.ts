/** Delivered and read watermarks of a conversation. Clients name message ids, and the watermarks only rise. */
import { CHAT_LIMITS } from '@stagedoor/contract/atoms/room-limits.ts';
import type { Executor, Statement } from '../../../kernel/db.ts';
import type { Actor } from '../../../kernel/session.ts';

const MARK: Statement = {
  name: 'chat-mark',
  text: 'select owner_id as "ownerId", up_to as "upTo", ids from chat_mark($1, $2, $3::uuid[], $4, $5)',
};

export type Marked = { ownerId: string; upTo: number; ids: string[] };

/**
 * Marks the other side's messages up to the newest given one. Returns undefined when the conversation is another user's
 * or nothing changes.
 */
export async function mark(
  db: Executor,
  actor: Actor,
  {
    conversationId,
    msgIds,
    status,
  }: { conversationId: string; msgIds: readonly string[]; status: 'delivered' | 'read' },
): Promise<Marked | undefined> {
  const values = [actor.userId, conversationId, msgIds, status === 'read', CHAT_LIMITS.statusIds];
  const [marked] = await db.run<Marked>(MARK, values);
  return marked;
}
