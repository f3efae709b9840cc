import type { Context } from '../../kernel/context.ts';
import type { Statement } from '../../kernel/db.ts';
import { registerClosing } from '../closing/index.ts';
import './events.ts';
import * as store from './store.ts';

const AT_ONCE = 200;
const PAIRS: Statement = {
  name: 'follows-closing',
  text: `select f.fan_id as "fanId", f.creator_id as "creatorId", u.username from follows f join users u on u.id = f.creator_id
    where f.fan_id = $1 or f.creator_id = $1 limit $2`,
};
type Pair = { fanId: string; creatorId: string; username: string };

export function registerFollowClosing(ctx: Context): void {
  registerClosing(ctx, 'follows', {
    erase: async ({ db, clock }, { userId }, signal) => {
      for (;;) {
        signal?.throwIfAborted();
        const pairs = await db.run<Pair>(PAIRS, [userId, AT_ONCE]);
        for (const pair of pairs)
          await db.transaction(async (tx) => {
            const changed = await store.setFollow(tx, pair.fanId, pair.creatorId, false, clock.now());
            if (changed !== undefined) await tx.emit('follow.changed', { ...pair, isFollowed: false });
          });
        if (pairs.length < AT_ONCE) return;
      }
    },
  });
}
