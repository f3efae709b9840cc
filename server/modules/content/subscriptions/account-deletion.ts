import type { Context } from '../../../platform/context.ts';
import { registerDeletionStep } from '../../identity/account-deletion/index.ts';
import { endSubscription, endWithRefund } from './endings.ts';
import { changeRunning } from './running.ts';
import * as store from './store.ts';
import * as texts from './texts.ts';

const BATCH_SIZE = 200;

/** A deleted fan pays no more; fans of a deleted creator get the rest of their period back. */
export function registerSubscriptionDeletionStep(ctx: Context): void {
  registerDeletionStep(ctx, 'subscriptions', {
    listConsequences: async (db, { userId, type }) => {
      const [id] = await store.listCurrentIds(db, userId, 1);
      if (id === undefined) return [];
      return [type === 'creator' ? texts.subscribersLeaveHint : texts.subscriptionsEndHint];
    },
    erase: async ({ db, clock }, { userId }, signal) => {
      for (;;) {
        const ids = await store.listCurrentIds(db, userId, BATCH_SIZE);
        for (const id of ids) {
          signal?.throwIfAborted();
          await changeRunning({ db }, id, async (tx, row) => {
            const reason = 'accountDeleted';
            if (row.creator_id === userId)
              await endWithRefund({ clock }, tx, row, {
                reason,
                actorId: userId,
                refundReason: texts.creatorLeftReason,
              });
            else await endSubscription(tx, row, { reason, at: clock.now() });
          });
        }
        if (ids.length < BATCH_SIZE) return;
      }
    },
  });
}
