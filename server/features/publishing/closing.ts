import type { Context } from '../../kernel/context.ts';
import type { Statement } from '../../kernel/db.ts';
import { registerClosing } from '../closing/index.ts';

const AT_ONCE = 100;
const DRAFTS: Statement = {
  name: 'drafts-closing',
  text: 'delete from drafts where id in (select id from drafts where creator_id = $1 limit $2) returning 1 as gone',
};

export function registerDraftClosing(ctx: Context): void {
  registerClosing(ctx, 'publishing', {
    erase: async ({ db }, { userId }, signal) => {
      while ((await db.run(DRAFTS, [userId, AT_ONCE])).length === AT_ONCE) signal?.throwIfAborted();
    },
  });
}
