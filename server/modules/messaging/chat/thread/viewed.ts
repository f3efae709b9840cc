/** Records that a buyer opened a purchase (row E7). */
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { Context } from '../../../../platform/context.ts';
import type { Actor } from '../../../../platform/security/session.ts';
import { accessMessage, getChatSide } from '../access.ts';
import { emitViewed } from '../live/emit.ts';
import { type MessageView, presentMessage } from '../present.ts';
import { findMessages } from '../rows.ts';
import * as texts from '../texts.ts';

/**
 * Idempotent. Throws NOT_FOUND for messages that are not for sale to the actor, are gone or are view-once, FORBIDDEN
 * when the actor did not buy it.
 */
export async function markPurchaseViewed(ctx: Context, actor: Actor, id: string): Promise<MessageView> {
  const row = await accessMessage(ctx.db, actor, id);
  if (!row.is_from_creator || row.is_view_once || row.removed_at) throw new AppError('NOT_FOUND');
  if (row.fan_right === null) throw new AppError('FORBIDDEN', { message: texts.unlockItFirst });
  if (row.fan_right !== 'purchase') throw new AppError('NOT_FOUND');
  const marked = await ctx.db.query
    .updateTable('messages')
    .set({ viewed_at: ctx.clock.now() })
    .where('id', '=', id)
    .where('viewed_at', 'is', null)
    .returning('id')
    .execute();
  const [after] = await findMessages(ctx.db, [id]);
  if (!after) throw new AppError('NOT_FOUND');
  if (marked.length > 0) emitViewed(ctx, after);
  return presentMessage(after, getChatSide(actor), ctx.clock.now());
}
