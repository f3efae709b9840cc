/** A pending payout blocks account deletion. After the deletion nothing is paid out. */
import type { Context } from '../../../platform/context.ts';
import type { SqlStatement } from '../../../platform/database/db.ts';
import { registerDeletionStep } from '../../identity/account-deletion/index.ts';
import * as texts from './texts.ts';

const HAS_OPEN_PAYOUT: SqlStatement = {
  name: 'payouts-deletion-under-way',
  text: `select 1 as found from payouts where user_id = $1 and status in ('requested', 'inreview', 'approved') limit 1`,
};
const METHODS: SqlStatement = {
  name: 'payouts-deletion-methods',
  text: 'update payout_methods set removed_at = $2 where user_id = $1 and removed_at is null',
};
const RULES: SqlStatement = { name: 'payouts-deletion-rules', text: 'delete from payout_schedules where user_id = $1' };

export function registerPayoutDeletion(ctx: Context): void {
  registerDeletionStep(ctx, 'payouts', {
    listObstacles: async (db, { userId }) =>
      (await db.run(HAS_OPEN_PAYOUT, [userId])).length > 0 ? [texts.payoutInProgressError] : [],
    erase: async ({ db, clock }, { userId }) => {
      await db.run(RULES, [userId]);
      await db.run(METHODS, [userId, clock.now()]);
    },
  });
}
