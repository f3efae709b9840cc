import type { AffiliateSide, totalEarning } from '@stagedoor/contract/affiliates.ts';
import { asCents, type Cents, toUsd } from '@stagedoor/contract/atoms/money.ts';
import type { AnswerOf } from '@stagedoor/contract/atoms/route.ts';
import type { Context } from '../../kernel/context.ts';
import type { Executor, Statement, Transaction } from '../../kernel/db.ts';
import type { Actor } from '../../kernel/session.ts';
import { account, balanceOf } from '../ledger/index.ts';
import { payoutSettings } from '../payouts/index.ts';
import { commissionFigures } from '../sales/index.ts';
import { codeOf, requireAffiliate } from './codes.ts';

export type Settings = {
  creatorPercent: number;
  customerPercent: number;
  months: number;
  moveMinCents: number;
  moveFeePercent: number;
};

const SETTINGS: Statement = {
  name: 'affiliates-settings',
  text: `select creator_basis_points / 100.0 as "creatorPercent", customer_basis_points / 100.0 as "customerPercent", months,
    move_min_cents as "moveMinCents", move_fee_basis_points / 100.0 as "moveFeePercent" from affiliate_settings`,
};

export async function affiliateSettings(db: Executor): Promise<Settings> {
  const [row] = await db.run<Settings>(SETTINGS, []);
  if (!row) throw new Error('affiliate_settings is empty');
  return row;
}

const CHANGE: Statement = {
  name: 'affiliates-change-settings',
  text: `update affiliate_settings set creator_basis_points = round($1::numeric * 100), customer_basis_points = round($2::numeric * 100), months = $3,
    move_min_cents = $4, move_fee_basis_points = round($5::numeric * 100)`,
};

/** Changes the terms. Referrals that are already approved keep theirs. */
export async function changeAffiliateSettings(tx: Transaction, to: Settings): Promise<void> {
  await tx.run(CHANGE, [to.creatorPercent, to.customerPercent, to.months, to.moveMinCents, to.moveFeePercent]);
}

const CLAIMS: Statement = {
  name: 'affiliates-claims',
  text: `select coalesce(p.status, 'transfered') = 'transfered' as "isClaimed", sum(c.customer_cents)::bigint as customer,
      sum(c.amount_cents - c.customer_cents)::bigint as creator
    from affiliate_claims c left join payouts p on p.id = c.id
    where c.affiliate_id = $1 and coalesce(p.status, 'transfered') not in ('rejected', 'cancel') group by 1`,
};
const PEOPLE: Statement = {
  name: 'affiliates-people',
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
export type Figures = Sides<SideFigures> & {
  /** Available money less debt, in cents. */
  eligibleCents: Cents;
  owedCents: Cents;
};

/**
 * Returns consistent figures only inside a snapshot or under the affiliate lock. The eligible amounts of both referral
 * types add up to `eligibleCents` exactly.
 */
export async function figuresOf(db: Executor, affiliateId: string): Promise<Figures> {
  const earned = await commissionFigures(db, affiliateId);
  const claims = await db.run<Sides<number> & { isClaimed: boolean }>(CLAIMS, [affiliateId]);
  const availableCents = await balanceOf(db, account.affiliateAvailable(affiliateId));
  const owedCents = await balanceOf(db, account.affiliateReceivable(affiliateId));
  const side = (name: keyof Sides<number>) => {
    const taken = (isClaimed: boolean) => asCents(claims.find((row) => row.isClaimed === isClaimed)?.[name] ?? 0);
    return { ...earned[name], claimedCents: taken(true), requestedCents: taken(false) };
  };
  const [customer, creator] = [side('customer'), side('creator')];
  const eligibleCents = asCents(Math.max(0, availableCents - owedCents));
  const { earnedCents, pendingCents, claimedCents, requestedCents } = customer;
  const left = earnedCents - pendingCents - claimedCents - requestedCents;
  // Money that was reversed after it was claimed is covered by the earnings of the other referral type.
  const ofCustomers = asCents(Math.min(eligibleCents, Math.max(0, left)));
  const ofCreators = asCents(eligibleCents - ofCustomers);
  return {
    customer: { ...customer, eligibleCents: ofCustomers },
    creator: { ...creator, eligibleCents: ofCreators },
    eligibleCents,
    owedCents,
  };
}

/** Returns the totals of the actor (row H1). Throws FORBIDDEN for operators. */
export async function viewTotals(ctx: Context, actor: Actor): Promise<AnswerOf<typeof totalEarning>> {
  requireAffiliate(actor);
  const code = await codeOf(ctx, ctx.db, actor.userId);
  return ctx.db.snapshot(async (db) => {
    const settings = await affiliateSettings(db);
    const { referralsMinimumCents, referralsFeePercent } = await payoutSettings(db);
    const figures = await figuresOf(db, actor.userId);
    const [people] = await db.run<Sides<number>>(PEOPLE, [actor.userId]);
    const side = (name: keyof Sides<number>, pr: number): AffiliateSide => ({
      totalEarnings: toUsd(figures[name].earnedCents),
      totalClaimed: toUsd(figures[name].claimedCents),
      pr,
      userCount: people?.[name] ?? 0,
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
