/** What operators set about subscriptions, for this module and for `subscriptions`. */
import {
  findSubscriptionSettingsProblem,
  listRetryHours,
  type SubscriptionSettings,
  updateSubscriptionSettings,
} from '@stagedoor/contract/admin/subscription-settings.ts';
import { createFieldError } from '@stagedoor/contract/shared/errors.ts';
import type { BodyOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction, Executor, SqlStatement } from '../../../platform/database/db.ts';
import { type SettingGroup, updateSettings } from '../../identity/approvals/index.ts';
import './events.ts';

const LOAD: SqlStatement = {
  name: 'subscription-settings-load',
  text: `select trial_days_max as "trialDaysMax", retry_hours[1] as "firstRetryHours", retry_hours[2] as "secondRetryHours",
    retry_hours[3] as "thirdRetryHours", retry_hours[4] as "graceHours", refund_hours as "refundHours" from subscription_settings`,
};
const LOCK: SqlStatement = {
  name: 'subscription-settings-lock',
  text: 'select id from subscription_settings for update',
};

export async function loadSubscriptionSettings(db: Executor): Promise<SubscriptionSettings> {
  const [row] = await db.run<SubscriptionSettings>(LOAD, []);
  if (!row) throw new Error('subscription_settings is empty');
  return row;
}

async function saveSettings(tx: DbTransaction, settings: SubscriptionSettings): Promise<void> {
  await tx.query
    .updateTable('subscription_settings')
    .set({
      trial_days_max: settings.trialDaysMax,
      retry_hours: listRetryHours(settings),
      refund_hours: settings.refundHours,
    })
    .execute();
  await tx.emit('subscriptions.settingsChanged', {});
}

/** The trials of existing tiers do not change. A renewal that has failed already gets its next attempt by the new hours. */
const SUBSCRIPTION_SETTINGS: SettingGroup<SubscriptionSettings> = {
  name: 'subscriptions',
  route: updateSubscriptionSettings,
  lock: (tx) => tx.run(LOCK, []),
  read: loadSubscriptionSettings,
  check: async (_tx, settings) => {
    const problem = findSubscriptionSettingsProblem(settings);
    if (problem) throw createFieldError(`to.${problem.field}`, problem.message);
  },
  save: saveSettings,
};

/** Throws as {@link updateSettings}, and VALIDATION for attempts that are not in order. */
export const saveSubscriptionSettings = (
  ctx: Pick<Context, 'clock' | 'db'>,
  operatorId: string,
  change: BodyOf<typeof updateSubscriptionSettings>,
): Promise<SubscriptionSettings> => updateSettings(ctx, operatorId, SUBSCRIPTION_SETTINGS, change);
