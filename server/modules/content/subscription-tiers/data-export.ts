import type { Context } from '../../../platform/context.ts';
import type { SqlStatement } from '../../../platform/database/db.ts';
import { registerExportPart } from '../../identity/data-export/index.ts';
import * as texts from './texts.ts';

const TIERS: SqlStatement = {
  name: 'subscription-tiers-export',
  text: `select name, benefits, weekly_cents / 100.0 as "pricePerWeek", monthly_cents / 100.0 as "pricePerMonth",
      yearly_cents / 100.0 as "pricePerYear", bundles, trial_days as "trialDays", slots, is_open as "isOpen",
      welcome_message as "welcomeMessage",
      created_at as "createdAt", deleted_at as "deletedAt"
    from subscription_tiers where creator_id = $1 order by id`,
};

export function registerTierExportPart(ctx: Context): void {
  registerExportPart(ctx, {
    name: 'subscription-tiers',
    title: texts.subscriptionTiers,
    description: texts.exportDescription,
    entries: async function* ({ db }, { id }) {
      yield* await db.run<{ name: string }>(TIERS, [id]);
    },
  });
}
