/**
 * Ban-evasion hints: accounts created after a creator's block that share a browser or a payment card with the blocked
 * account. Only that creator sees the hint, without its reason, and it has no automatic effect.
 */
import type { UserId } from '@stagedoor/contract/shared/ids.ts';
import type { Context } from '../../../../platform/context.ts';
import type { SqlStatement } from '../../../../platform/database/db.ts';
import type { Actor } from '../../../../platform/security/session.ts';

const FIND_HINTS: SqlStatement = {
  name: 'chat-ban-evasion-hints',
  // Only fans who follow or wrote to the creator, so that the query reveals nothing about strangers.
  text: `select u.id from users u where u.id = any ($2::uuid[]) and u.type = 'customer'
    and (exists (select from follows f where f.fan_id = u.id and f.creator_id = $1)
      or exists (select from conversations k where k.fan_id = u.id and k.creator_id = $1 and k.last_seq > 0 and not k.is_blocked_by_creator))
    and exists (select from account_fingerprints s join account_fingerprints t on t.mac = s.mac and t.user_id <> s.user_id
      join conversations c on c.creator_id = $1 and c.fan_id = t.user_id and c.is_blocked_by_creator
      join blocks b on b.creator_id = $1 and b.fan_id = t.user_id
      where s.user_id = u.id and u.created_at > b.since)`,
};

export async function findBanEvasionHints(ctx: Context, actor: Actor, ids: readonly string[]): Promise<UserId[]> {
  return (await ctx.db.run<{ id: UserId }>(FIND_HINTS, [actor.userId, ids])).map(({ id }) => id);
}
