/** The message with which a creator welcomes a new subscriber. */
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { Context } from '../../../../platform/context.ts';
import { createId } from '../../../../platform/ids.ts';
import { findWelcomeMessage } from '../../../content/subscriptions/index.ts';
import { findConversationByPair } from '../rows.ts';
import { writeMessage } from './send.ts';
import { canCreatorWrite } from './send-limits.ts';

type StartedSubscription = { subscriptionId: string; fanId: string; creatorId: string };

/**
 * Sends one message for each subscription, because the subscription's id is the client id of the message. Does not write to
 * a fan after a declined request, because a message of the creator would accept the request.
 */
export async function welcomeSubscriber(
  ctx: Context,
  { subscriptionId, fanId, creatorId }: StartedSubscription,
): Promise<void> {
  const text = await findWelcomeMessage(ctx.db, subscriptionId);
  if (text === undefined || !(await canCreatorWrite(ctx, ctx.db, creatorId))) return;
  if ((await findConversationByPair(ctx.db, fanId, creatorId))?.state === 'declined') return;
  try {
    await writeMessage(ctx.db, ctx.config.rateFactor, {
      senderId: creatorId,
      isCreator: true,
      to: { receiverId: fanId },
      id: createId(ctx.clock),
      clientId: subscriptionId,
      type: 'text',
      text,
      priceCents: 0,
      isViewOnce: false,
      details: null,
      at: ctx.clock.now(),
    });
  } catch (error) {
    // One of both blocked the other, an account is gone, or the creator changed the text after it was sent.
    if (error instanceof AppError) return;
    throw error;
  }
  ctx.events.wake();
}
