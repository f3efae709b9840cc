import type { Context } from '../../../platform/context.ts';
import { registerDeletionStep } from '../../identity/account-deletion/index.ts';
import { endSubscription, refundUnused } from './endings.ts';
import * as store from './store.ts';
import * as texts from './texts.ts';

const BATCH_SIZE = 200;

/** A deleted fan pays no more; fans of a deleted creator get the rest of their period back. */
export function registerSubscriptionDeletionStep(ctx: Context): void {
  registerDeletionStep(ctx, 'subscriptions', {
    erase: async ({ db, clock }, { userId }, signal) => {
      for (;;) {
        signal?.throwIfAborted();
        const ids = await store.listCurrentIds(db, userId, BATCH_SIZE);
        for (const id of ids)
          await db.transaction(async (tx) => {
            const row = await store.lockSubscription(tx, id);
            if (!row || row.ended_at) return;
            await endSubscription(tx, row, { reason: 'accountDeleted', at: clock.now() });
            if (row.creator_id === userId)
              await refundUnused({ clock }, tx, row, { actorId: userId, reason: texts.creatorLeftReason });
          });
        if (ids.length < BATCH_SIZE) return;
      }
    },
  });
}
