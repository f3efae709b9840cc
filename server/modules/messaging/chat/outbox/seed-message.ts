/** Writes messages without HTTP, for demo data and tests. */
import { randomUUID } from 'node:crypto';
import type { Context } from '../../../../platform/context.ts';
import { createId } from '../../../../platform/ids.ts';
import { writeMessage } from './send.ts';

export type SeedMessage = {
  from: 'creator' | 'fan';
  text: string;
  /** Defaults to the current time. Messages must be written in the order of their times. */
  at?: Date;
  priceCents?: number;
  /** Random by default. The same id writes the message once. */
  clientId?: string;
};

export async function seedMessage(
  ctx: Context,
  pair: { creatorId: string; fanId: string },
  { from, text, at = ctx.clock.now(), priceCents = 0, clientId = randomUUID() }: SeedMessage,
): Promise<{ messageId: string; conversationId: string }> {
  const isCreator = from === 'creator';
  await ctx.db.query
    .insertInto('conversations')
    .values({ id: createId(ctx.clock), creator_id: pair.creatorId, fan_id: pair.fanId, state: 'open', created_at: at })
    .onConflict((conflict) => conflict.columns(['fan_id', 'creator_id']).doUpdateSet({ state: 'open' }))
    .execute();
  await ctx.db.query
    .insertInto('fan_creator_relations')
    .values({ fan_id: pair.fanId, creator_id: pair.creatorId, since: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const written = await writeMessage(ctx.db, 1, {
    senderId: isCreator ? pair.creatorId : pair.fanId,
    isCreator,
    to: { receiverId: isCreator ? pair.fanId : pair.creatorId },
    id: createId(ctx.clock),
    clientId,
    type: 'text',
    text,
    priceCents,
    isViewOnce: false,
    details: null,
    at,
  });
  return { messageId: written.message_id, conversationId: written.conversation_id };
}
