import { type payoutSettings, updatePayoutSettings } from '@stagedoor/contract/admin/payouts.ts';
import type { PayoutKind, PayoutSource } from '@stagedoor/contract/finance/payouts.ts';
import { asCents, type Cents, calculatePercent, toCents, toUsd } from '@stagedoor/contract/shared/money.ts';
import type { BodyOf } from '@stagedoor/contract/shared/route.ts';
import type { Selectable } from 'kysely';
import type * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import type { Executor, Tables } from '../../../platform/database/db.ts';
import { type SettingGroup, updateSettings } from '../../identity/approvals/index.ts';

export type PayoutSettings = {
  minimumCents: number;
  cryptoMinimumCents: number;
  referralsMinimumCents: number;
  referralsFeePercent: number;
  coolingHours: number;
  secondApproverCents: number;
};
type Row = Selectable<Tables['payout_settings']>;

const toPayoutSettings = (row: Row): PayoutSettings => ({
  minimumCents: row.minimum_cents,
  cryptoMinimumCents: row.crypto_minimum_cents,
  referralsMinimumCents: row.referrals_minimum_cents,
  referralsFeePercent: row.referrals_fee_basis_points / 100,
  coolingHours: row.cooling_hours,
  secondApproverCents: row.second_approver_cents,
});

export async function loadPayoutSettings(db: Executor): Promise<PayoutSettings> {
  return toPayoutSettings(await db.query.selectFrom('payout_settings').selectAll().executeTakeFirstOrThrow());
}

type SettingsView = z.infer<typeof payoutSettings>;

export async function viewPayoutSettings({ db }: { db: Executor }): Promise<SettingsView> {
  const settings = await loadPayoutSettings(db);
  return {
    minimum: toUsd(settings.minimumCents),
    cryptoMinimum: toUsd(settings.cryptoMinimumCents),
    referralsMinimum: toUsd(settings.referralsMinimumCents),
    referralsFeePercent: settings.referralsFeePercent,
    coolingHours: settings.coolingHours,
    secondApprover: toUsd(settings.secondApproverCents),
  };
}

/** A higher limit and a shorter cooling period wait for a second operator. Existing requests are not changed. */
export const PAYOUT_SETTINGS: SettingGroup<SettingsView> = {
  name: 'payouts',
  route: updatePayoutSettings,
  lock: (tx) => tx.query.selectFrom('payout_settings').select('minimum_cents').forUpdate().execute(),
  read: (db) => viewPayoutSettings({ db }),
  save: async (tx, settings) => {
    await tx.query
      .updateTable('payout_settings')
      .set({
        minimum_cents: toCents(settings.minimum),
        crypto_minimum_cents: toCents(settings.cryptoMinimum),
        referrals_minimum_cents: toCents(settings.referralsMinimum),
        referrals_fee_basis_points: Math.round(settings.referralsFeePercent * 100),
        cooling_hours: settings.coolingHours,
        second_approver_cents: toCents(settings.secondApprover),
      })
      .execute();
    await tx.emit('payouts.settingsChanged', {});
  },
};

/** Throws as {@link updateSettings}. */
export const savePayoutSettings = (
  ctx: Pick<Context, 'clock' | 'db'>,
  operatorId: string,
  change: BodyOf<typeof updatePayoutSettings>,
): Promise<SettingsView> => updateSettings(ctx, operatorId, PAYOUT_SETTINGS, change);

export function getMinimum(settings: PayoutSettings, source: PayoutSource, kind: PayoutKind): Cents {
  const kindMinimum = kind === 'crypto' ? settings.cryptoMinimumCents : settings.minimumCents;
  return asCents(source === 'referrals' ? Math.max(kindMinimum, settings.referralsMinimumCents) : kindMinimum);
}

export function calculateFee(settings: PayoutSettings, source: PayoutSource, amountCents: Cents): Cents {
  return source === 'referrals' ? calculatePercent(amountCents, settings.referralsFeePercent) : asCents(0);
}
