/** The log of actions is retained by id, because it cannot be edited. */
import type { Context } from '../../kernel/context.ts';
import { registerClosing } from '../closing/index.ts';
import { endMembership } from './service.ts';
import * as store from './store.ts';

export function registerTeamClosing(ctx: Context): void {
  registerClosing(ctx, 'team', {
    erase: async ({ db }, { userId }, signal) => {
      const all = [...(await store.membersOf(db, userId)), ...(await store.membershipsOf(db, userId))];
      for (const { creatorId, memberId } of all) {
        signal?.throwIfAborted();
        await endMembership(ctx, creatorId, memberId);
      }
      await store.forgetInvitations(db, userId);
    },
  });
}
