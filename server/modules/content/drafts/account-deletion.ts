import type { Context } from '../../../platform/context.ts';
import type { SqlStatement } from '../../../platform/database/db.ts';
import { registerDeletionStep } from '../../identity/account-deletion/index.ts';

const BATCH_SIZE = 100;
const DRAFTS: SqlStatement = {
  name: 'drafts-deletion',
  text: 'delete from drafts where id in (select id from drafts where creator_id = $1 limit $2) returning 1 as gone',
};

export function registerDraftDeletionStep(ctx: Context): void {
  registerDeletionStep(ctx, 'drafts', {
    erase: async ({ db }, { userId }, signal) => {
      while ((await db.run(DRAFTS, [userId, BATCH_SIZE])).length === BATCH_SIZE) signal?.throwIfAborted();
    },
  });
}
