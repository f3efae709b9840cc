/**
 * Who may see whose presence. Everyone sees creators, and a creator sees the fans with an open conversation, not those
 * with a pending request. A blocked pair does not see each other.
 */
import type { UserType } from '@stagedoor/contract/accounts.ts';
import type { Context } from '../../../kernel/context.ts';
import type { Statement } from '../../../kernel/db.ts';
import { apart } from '../../blocks/index.ts';
import type { Visibility } from '../../presence/index.ts';

type Seen = { id: string; type: UserType };

const OF_FAN: Statement = {
  name: 'chat-presence-of-fan',
  text: `(select creator_id as id, 'creator' as type from conversations where fan_id = $1 and fan_at is not null
      and not is_blocked_by_creator and not is_blocked_by_fan order by fan_at desc, id desc limit 200)
    union (select creator_id, 'creator' from follows where fan_id = $1 limit 300)`,
};
const OF_CREATOR: Statement = {
  name: 'chat-presence-of-creator',
  text: `select fan_id as id, 'customer' as type from conversations where creator_id = $1 and state = 'open' and creator_at is not null
    and not is_blocked_by_creator and not is_blocked_by_fan order by creator_at desc, id desc limit 300`,
};
const OF_CREATORS = "select id, type from users where id = any ($1::uuid[]) and type = 'creator' and not is_blocked";
const TO_CREATOR: Statement = {
  name: 'chat-presence-to-creator',
  text: `${OF_CREATORS} union all select fan_id, 'customer' from conversations where creator_id = $2 and fan_id = any ($1::uuid[])
    and state = 'open' and not is_blocked_by_creator and not is_blocked_by_fan`,
};
const TO_OTHERS: Statement = {
  name: 'chat-presence-to-others',
  text: `${OF_CREATORS} and not ${apart('$2', 'users.id')}`,
};

export function visibility(ctx: Context): Visibility {
  return {
    initial: async (actor) => {
      if (actor.type === 'operator') return [];
      return ctx.db.run<Seen>(actor.type === 'creator' ? OF_CREATOR : OF_FAN, [actor.userId]);
    },
    visible: (actor, ids) => ctx.db.run<Seen>(actor.type === 'creator' ? TO_CREATOR : TO_OTHERS, [ids, actor.userId]),
  };
}
