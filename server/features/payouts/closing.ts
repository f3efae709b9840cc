/** A pending payout blocks account deletion. After the deletion nothing is paid out. */
import type { Context } from '../../kernel/context.ts';
import type { Statement } from '../../kernel/db.ts';
import { registerClosing } from '../closing/index.ts';

const UNDER_WAY: Statement = {
  name: 'payouts-closing-under-way',
  text: `select 1 as found from payouts where user_id = $1 and status in ('requested', 'inreview', 'approved') limit 1`,
};
const METHODS: Statement = {
  name: 'payouts-closing-methods',
  text: 'update payout_methods set removed_at = $2 where user_id = $1 and removed_at is null',
};
const RULES: Statement = { name: 'payouts-closing-rules', text: 'delete from payout_rules where user_id = $1' };

export function registerPayoutClosing(ctx: Context): void {
  registerClosing(ctx, 'payouts', {
    hindrances: async (db, { userId }) =>
      (await db.run(UNDER_WAY, [userId])).length > 0
        ? ['A payout is in progress. Wait for it to arrive or cancel it.']
        : [],
    erase: async ({ db, clock }, { userId }) => {
      await db.run(RULES, [userId]);
      await db.run(METHODS, [userId, clock.now()]);
    },
  });
}
