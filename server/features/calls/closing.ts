import type { Context } from '../../kernel/context.ts';
import type { Statement } from '../../kernel/db.ts';
import { registerClosing } from '../closing/index.ts';

const OPEN: Statement = {
  name: 'calls-closing-open',
  text: 'select 1 as open from calls where (fan_id = $1 or creator_id = $1) and ended_at is null',
};
const NO_TERMS: Statement = {
  name: 'calls-closing-terms',
  text: 'delete from call_terms where creator_id = $1',
};

export function registerCallClosing(ctx: Context): void {
  registerClosing(ctx, 'calls', {
    hindrances: async (db, { userId }) =>
      (await db.run(OPEN, [userId])).length > 0 ? ['You’re in a call. End it first.'] : [],
    erase: async ({ db }, { userId }) => {
      await db.run(NO_TERMS, [userId]);
    },
  });
}
