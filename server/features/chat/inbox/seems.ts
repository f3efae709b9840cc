/**
 * Who seems to be somebody whom a creator blocked: an account made after the block that shares a browser with the blocked one, or a card
 * that both paid with. Said to that creator alone, never why, and nothing follows from it by itself.
 */
import type { UserId } from '@stagedoor/contract/atoms/ids.ts';
import type { Context } from '../../../kernel/context.ts';
import type { Statement } from '../../../kernel/db.ts';
import type { Actor } from '../../../kernel/session.ts';

const SEEM: Statement = {
  name: 'chat-seem-blocked',
  // Those alone who came to the creator: of strangers nothing is to be found out by asking.
  text: `select u.id from users u where u.id = any ($2::uuid[]) and u.type = 'customer'
    and (exists (select from follows f where f.fan_id = u.id and f.creator_id = $1)
      or exists (select from conversations k where k.fan_id = u.id and k.creator_id = $1 and k.last_seq > 0 and not k.is_blocked_by_creator))
    and exists (select from account_signals s join account_signals t on t.mac = s.mac and t.user_id <> s.user_id
      join conversations c on c.creator_id = $1 and c.fan_id = t.user_id and c.is_blocked_by_creator
      join blocks b on b.creator_id = $1 and b.fan_id = t.user_id
      where s.user_id = u.id and u.created_at > b.since)`,
};

/** Those of some fans who seem to be somebody the actor blocked. */
export async function seemBlocked(ctx: Context, actor: Actor, ids: readonly string[]): Promise<UserId[]> {
  return (await ctx.db.run<{ id: UserId }>(SEEM, [actor.userId, ids])).map(({ id }) => id);
}
