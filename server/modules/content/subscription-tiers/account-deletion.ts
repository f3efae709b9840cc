import type { Context } from '../../../platform/context.ts';
import { registerDeletionStep } from '../../identity/account-deletion/index.ts';
import './events.ts';
import { updateListedTerms } from './listed-terms.ts';
import { closeOffersBy } from './offer-store.ts';
import * as store from './store.ts';

/** The terms remain, because they belong to what fans paid. */
export function registerTierDeletionStep(ctx: Context): void {
  registerDeletionStep(ctx, 'subscription-tiers', {
    erase: ({ db, clock }, { userId }) =>
      db.transaction(async (tx) => {
        for (const { id } of await store.lockCreatorTiers(tx, userId)) {
          await store.markDeleted(tx, id, clock.now());
          await tx.emit('subscriptionTier.deleted', { creatorId: userId, tierId: id, higherTierIds: [] });
        }
        await closeOffersBy(tx, 'creator_id', userId, clock.now());
        await updateListedTerms(ctx, tx, userId);
        await store.eraseTexts(tx, userId);
      }),
  });
}
