import type { Context } from '../../../platform/context.ts';
import type { SqlStatement } from '../../../platform/database/db.ts';
import { registerDeletionStep } from '../../identity/account-deletion/index.ts';
import './events.ts';

const ERASE: SqlStatement = { name: 'themes-erase', text: 'delete from creator_themes where creator_id = $1' };

export function registerThemeDeletionStep(ctx: Context): void {
  registerDeletionStep(ctx, 'themes', {
    erase: async ({ db }, { userId }) => {
      await db.transaction(async (tx) => {
        await tx.run(ERASE, [userId]);
        await tx.emit('theme.published', { creatorId: userId });
      });
    },
  });
}
