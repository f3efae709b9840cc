import type { AffiliateSide, getAffiliateTotals } from '@stagedoor/contract/finance/affiliates.ts';
import { asCents, type Cents, toUsd } from '@stagedoor/contract/shared/money.ts';
import type { ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction, Executor, SqlStatement } from '../../../platform/database/db.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { getCommissionTotals } from '../../commerce/sales/index.ts';
import { account, getBalance } from '../../ledger/ledger/index.ts';
import { loadPayoutSettings } from '../payouts/index.ts';
import { getOrCreateCode, requireAffiliate } from './codes.ts';

export type AffiliateTerms = {
  creatorPercent: number;
  customerPercent: number;
  months: number;
  moveMinCents: number;
  moveFeePercent: number;
};

const SETTINGS: SqlStatement = {
  name: 'affiliates-settings',
  text: `select creator_basis_points / 100.0 as "creatorPercent", customer_basis_points / 100.0 as "customerPercent", months,
    move_min_cents as "moveMinCents", move_fee_basis_points / 100.0 as "moveFeePercent" from affiliate_settings`,
};

export async function loadAffiliateSettings(db: Executor): Promise<AffiliateTerms> {
  const [row] = await db.run<AffiliateTerms>(SETTINGS, []);
  if (!row) throw new Error('affiliate_settings is empty');
  return row;
}

const CHANGE: SqlStatement = {
  name: 'affiliates-change-settings',
  text: `update affiliate_settings set creator_basis_points = round($1::numeric * 100), customer_basis_points = round($2::numeric * 100), months = $3,
    move_min_cents = $4, move_fee_basis_points = round($5::numeric * 100)`,
};

/** Changes the terms. Referrals that are already approved keep theirs. */
export async function saveAffiliateSettings(tx: DbTransaction, to: AffiliateTerms): Promise<void> {
  await tx.run(CHANGE, [to.creatorPercent, to.customerPercent, to.months, to.moveMinCents, to.moveFeePercent]);
}

const CLAIMS: SqlStatement = {
  name: 'affiliates-claims',
  text: `select coalesce(p.status, 'transfered') = 'transfered' as "isClaimed", sum(c.customer_cents)::bigint as customer,
      sum(c.amount_cents - c.customer_cents)::bigint as creator
    from affiliate_claims c left join payouts p on p.id = c.id
    where c.affiliate_id = $1 and coalesce(p.status, 'transfered') not in ('rejected', 'cancel') group by 1`,
};
const COUNT_REFERRED: SqlStatement = {
  name: 'affiliates-count-referred',
  text: `select count(*) filter (where referred_type = 'customer')::int as customer, count(*) filter (where referred_type = 'creator')::int as creator
    from referrals where affiliate_id = $1`,
};

type Sides<T> = { customer: T; creator: T };
type SideFigures = {
  earnedCents: Cents;
  pendingCents: Cents;
  claimedCents: Cents;
  requestedCents: Cents;
  eligibleCents: Cents;
};
export type AffiliateFigures = Sides<SideFigures> & {
  /** Available money less debt, in cents. */
  eligibleCents: Cents;
  owedCents: Cents;
};

/**
 * Returns consistent figures only inside a snapshot or under the affiliate lock. The eligible amounts of both referral
 * types add up to `eligibleCents` exactly.
 */
export async function getAffiliateFigures(db: Executor, affiliateId: string): Promise<AffiliateFigures> {
  const earned = await getCommissionTotals(db, affiliateId);
  const claims = await db.run<Sides<number> & { isClaimed: boolean }>(CLAIMS, [affiliateId]);
  const availableCents = await getBalance(db, account.affiliateAvailable(affiliateId));
  const owedCents = await getBalance(db, account.affiliateReceivable(affiliateId));
  const side = (name: keyof Sides<number>) => {
    const sumClaimed = (isClaimed: boolean) => asCents(claims.find((row) => row.isClaimed === isClaimed)?.[name] ?? 0);
    return { ...earned[name], claimedCents: sumClaimed(true), requestedCents: sumClaimed(false) };
  };
  const [customer, creator] = [side('customer'), side('creator')];
  const eligibleCents = asCents(Math.max(0, availableCents - owedCents));
  const { earnedCents, pendingCents, claimedCents, requestedCents } = customer;
  const remaining = earnedCents - pendingCents - claimedCents - requestedCents;
  // Money that was reversed after it was claimed is covered by the earnings of the other referral type.
  const customerEligibleCents = asCents(Math.min(eligibleCents, Math.max(0, remaining)));
  const creatorEligibleCents = asCents(eligibleCents - customerEligibleCents);
  return {
    customer: { ...customer, eligibleCents: customerEligibleCents },
    creator: { ...creator, eligibleCents: creatorEligibleCents },
    eligibleCents,
    owedCents,
  };
}

/** Returns the totals of the actor (row H1). Throws FORBIDDEN for operators. */
export async function viewTotals(ctx: Context, actor: Actor): Promise<ResponseInputOf<typeof getAffiliateTotals>> {
  requireAffiliate(actor);
  const code = await getOrCreateCode(ctx, ctx.db, actor.userId);
  return ctx.db.snapshot(async (db) => {
    const settings = await loadAffiliateSettings(db);
    const { referralsMinimumCents, referralsFeePercent } = await loadPayoutSettings(db);
    const figures = await getAffiliateFigures(db, actor.userId);
    const [counts] = await db.run<Sides<number>>(COUNT_REFERRED, [actor.userId]);
    const side = (name: keyof Sides<number>, pr: number): AffiliateSide => ({
      totalEarnings: toUsd(figures[name].earnedCents),
      totalClaimed: toUsd(figures[name].claimedCents),
      pr,
      userCount: counts?.[name] ?? 0,
      eligibleBalance: toUsd(figures[name].eligibleCents),
      requestedAmount: toUsd(figures[name].requestedCents),
      pending: toUsd(figures[name].pendingCents),
    });
    const internal = { minAmount: toUsd(asCents(settings.moveMinCents)), feePr: settings.moveFeePercent };
    return {
      creator: side('creator', settings.creatorPercent),
      customer: side('customer', settings.customerPercent),
      platformFee: { minAmount: toUsd(asCents(referralsMinimumCents)), feePr: referralsFeePercent, internal },
      affiliateId: actor.userId,
      code,
      eligibleBalance: toUsd(figures.eligibleCents),
      owed: toUsd(figures.owedCents),
      months: settings.months,
    };
  });
}
