/** That a buyer opened what they bought (row E7): kept once, told to both sides. */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { Context } from '../../../kernel/context.ts';
import type { Actor } from '../../../kernel/session.ts';
import { accessMessage, sideOf } from '../access.ts';
import { tellViewed } from '../live/tell.ts';
import { type MessageView, presentMessage } from '../present.ts';
import { findMessages } from '../rows.ts';

/**
 * Notes the first opening of what the actor bought; later ones change nothing. Throws NOT_FOUND for what is not sold to them, is gone,
 * or opens once, FORBIDDEN for what they did not buy.
 */
export async function noteViewed(ctx: Context, actor: Actor, id: string): Promise<MessageView> {
  const row = await accessMessage(ctx.db, actor, id);
  if (!row.is_from_creator || row.is_view_once || row.removed_at) throw new AppError('NOT_FOUND');
  if (row.fan_right === null) throw new AppError('FORBIDDEN', { message: 'Unlock it first.' });
  if (row.fan_right !== 'purchase') throw new AppError('NOT_FOUND');
  const noted = await ctx.db.query
    .updateTable('messages')
    .set({ viewed_at: ctx.clock.now() })
    .where('id', '=', id)
    .where('viewed_at', 'is', null)
    .returning('id')
    .execute();
  const [after] = await findMessages(ctx.db, [id]);
  if (!after) throw new AppError('NOT_FOUND');
  if (noted.length > 0) tellViewed(ctx, after);
  return presentMessage(after, sideOf(actor), ctx.clock.now());
}
