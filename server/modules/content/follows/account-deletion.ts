import type { Context } from '../../../platform/context.ts';
import type { SqlStatement } from '../../../platform/database/db.ts';
import { registerDeletionStep } from '../../identity/account-deletion/index.ts';
import './events.ts';
import * as store from './store.ts';

const BATCH_SIZE = 200;
const PAIRS: SqlStatement = {
  name: 'follows-deletion',
  text: `select f.fan_id as "fanId", f.creator_id as "creatorId", u.username from follows f join users u on u.id = f.creator_id
    where f.fan_id = $1 or f.creator_id = $1 limit $2`,
};
type FollowPair = { fanId: string; creatorId: string; username: string };

export function registerFollowDeletionStep(ctx: Context): void {
  registerDeletionStep(ctx, 'follows', {
    erase: async ({ db, clock }, { userId }, signal) => {
      for (;;) {
        signal?.throwIfAborted();
        const pairs = await db.run<FollowPair>(PAIRS, [userId, BATCH_SIZE]);
        for (const pair of pairs)
          await db.transaction(async (tx) => {
            const changed = await store.writeFollow(tx, pair.fanId, pair.creatorId, false, clock.now());
            if (changed !== undefined) await tx.emit('follow.changed', { ...pair, isFollowed: false });
          });
        if (pairs.length < BATCH_SIZE) return;
      }
    },
  });
}
