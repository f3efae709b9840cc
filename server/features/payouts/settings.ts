/** What the operator sets for payouts, and what follows from it for one request. */
import { asCents, type Cents, percentOf } from '@stagedoor/contract/atoms/money.ts';
import type { PayoutKind, PayoutSource } from '@stagedoor/contract/payouts.ts';
import type { Executor } from '../../kernel/db.ts';

export type PayoutSettings = {
  minimumCents: number;
  cryptoMinimumCents: number;
  referralsMinimumCents: number;
  referralsFeePercent: number;
  coolingHours: number;
  secondApproverCents: number;
};

export async function payoutSettings(db: Executor): Promise<PayoutSettings> {
  const row = await db.query.selectFrom('payout_settings').selectAll().executeTakeFirstOrThrow();
  return {
    minimumCents: row.minimum_cents,
    cryptoMinimumCents: row.crypto_minimum_cents,
    referralsMinimumCents: row.referrals_minimum_cents,
    referralsFeePercent: row.referrals_fee_basis_points / 100,
    coolingHours: row.cooling_hours,
    secondApproverCents: row.second_approver_cents,
  };
}

/** The least that may be requested. */
export function minimumOf(settings: PayoutSettings, source: PayoutSource, kind: PayoutKind): Cents {
  const ofKind = kind === 'crypto' ? settings.cryptoMinimumCents : settings.minimumCents;
  return asCents(source === 'referrals' ? Math.max(ofKind, settings.referralsMinimumCents) : ofKind);
}

/** What is withheld of a sum. */
export function feeOf(settings: PayoutSettings, source: PayoutSource, amountCents: Cents): Cents {
  return source === 'referrals' ? percentOf(amountCents, settings.referralsFeePercent) : asCents(0);
}
