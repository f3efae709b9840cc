/**
 * Who may see whose presence. Everyone sees creators, and a creator sees the fans with an open conversation, not those
 * with a pending request. A blocked pair does not see each other.
 */
import type { UserType } from '@stagedoor/contract/identity/accounts.ts';
import type { Context } from '../../../../platform/context.ts';
import type { SqlStatement } from '../../../../platform/database/db.ts';
import { blockedPairSql } from '../../../identity/blocks/index.ts';
import type { PresenceVisibility } from '../../../identity/presence/index.ts';

type VisibleUser = { id: string; type: UserType };

const INITIAL_FOR_FAN: SqlStatement = {
  name: 'chat-presence-of-fan',
  text: `(select creator_id as id, 'creator' as type from conversations where fan_id = $1 and fan_listed_at is not null
      and not is_blocked_by_creator and not is_blocked_by_fan order by fan_listed_at desc, id desc limit 200)
    union (select creator_id, 'creator' from follows where fan_id = $1 limit 300)`,
};
const INITIAL_FOR_CREATOR: SqlStatement = {
  name: 'chat-presence-of-creator',
  text: `select fan_id as id, 'customer' as type from conversations where creator_id = $1 and state = 'open' and creator_listed_at is not null
    and not is_blocked_by_creator and not is_blocked_by_fan order by creator_listed_at desc, id desc limit 300`,
};
const CREATORS_SQL = "select id, type from users where id = any ($1::uuid[]) and type = 'creator' and not is_blocked";
const VISIBLE_TO_CREATOR: SqlStatement = {
  name: 'chat-presence-to-creator',
  text: `${CREATORS_SQL} union all select fan_id, 'customer' from conversations where creator_id = $2 and fan_id = any ($1::uuid[])
    and state = 'open' and not is_blocked_by_creator and not is_blocked_by_fan`,
};
const VISIBLE_TO_OTHERS: SqlStatement = {
  name: 'chat-presence-to-others',
  text: `${CREATORS_SQL} and not ${blockedPairSql('$2', 'users.id')}`,
};

export function createVisibility(ctx: Context): PresenceVisibility {
  return {
    listInitial: async (actor) => {
      if (actor.type === 'operator') return [];
      return ctx.db.run<VisibleUser>(actor.type === 'creator' ? INITIAL_FOR_CREATOR : INITIAL_FOR_FAN, [actor.userId]);
    },
    filterVisible: (actor, ids) =>
      ctx.db.run<VisibleUser>(actor.type === 'creator' ? VISIBLE_TO_CREATOR : VISIBLE_TO_OTHERS, [ids, actor.userId]),
  };
}
