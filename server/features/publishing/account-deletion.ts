import type { Context } from '../../kernel/context.ts';
import type { SqlStatement } from '../../kernel/db.ts';
import { registerDeletionStep } from '../closing/index.ts';

const BATCH_SIZE = 100;
const DRAFTS: SqlStatement = {
  name: 'drafts-closing',
  text: 'delete from drafts where id in (select id from drafts where creator_id = $1 limit $2) returning 1 as gone',
};

export function registerDraftDeletionStep(ctx: Context): void {
  registerDeletionStep(ctx, 'publishing', {
    erase: async ({ db }, { userId }, signal) => {
      while ((await db.run(DRAFTS, [userId, BATCH_SIZE])).length === BATCH_SIZE) signal?.throwIfAborted();
    },
  });
}
