/** The log of actions is retained by id, because it cannot be edited. */
import type { Context } from '../../../platform/context.ts';
import { registerDeletionStep } from '../account-deletion/index.ts';
import { endMembership } from './service.ts';
import * as store from './store.ts';

export function registerTeamDeletion(ctx: Context): void {
  registerDeletionStep(ctx, 'teams', {
    erase: async ({ db }, { userId }, signal) => {
      const memberships = [...(await store.listMembers(db, userId)), ...(await store.listMemberships(db, userId))];
      for (const { creatorId, memberId } of memberships) {
        signal?.throwIfAborted();
        await endMembership(ctx, creatorId, memberId);
      }
      await store.deleteInvitations(db, userId);
    },
  });
}
