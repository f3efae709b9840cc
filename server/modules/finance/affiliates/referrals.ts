/**
 * Referrals and their status: invited (signed up), underReview (a creator submitted documents), approved (a creator is
 * verified, a fan made the first deposit). Commission is paid on sales and purchases after approval.
 */
import type { ReferredType } from '@stagedoor/contract/finance/affiliates.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction, SqlStatement } from '../../../platform/database/db.ts';
import type { EventPayload } from '../../../platform/events/event-types.ts';
import { hasPaid } from '../../commerce/deposits/index.ts';
import { startCommission } from '../../commerce/sales/index.ts';
import { findUser, isSameMailbox } from '../../identity/accounts/index.ts';
import { lockWallet } from '../../ledger/ledger/index.ts';
import { findCodeOwner } from './codes.ts';

const INVITE: SqlStatement = {
  name: 'affiliates-invite',
  text: `insert into referrals (referred_id, affiliate_id, referred_type, invited_at) values ($1, $2, $3, $4) on conflict (referred_id) do nothing`,
};
/** Adds calendar months in UTC, so that a period from 29 February ends on 28 February. */
const APPROVE: SqlStatement = {
  name: 'affiliates-approve',
  text: `update referrals r set status = 'approved', approved_at = $2::timestamptz,
      ends_at = ($2::timestamptz at time zone 'UTC' + make_interval(months => s.months)) at time zone 'UTC'
    from affiliate_settings s where r.referred_id = $1 and r.status <> 'approved'
    returning r.affiliate_id as "affiliateId", r.approved_at as "from", r.ends_at as "until",
      case r.referred_type when 'creator' then s.creator_basis_points else s.customer_basis_points end as "basisPoints"`,
};
const REVIEW: SqlStatement = {
  name: 'affiliates-review',
  text: `update referrals set status = 'underReview' where referred_id = $1 and status = 'invited' and referred_type = 'creator'`,
};

type ApprovedTerms = { affiliateId: string; from: Date; until: Date; basisPoints: number };

/**
 * Starts commission for the affiliate of this user. Does nothing the second time, without a referral or when the
 * affiliate has left.
 */
async function approve(tx: DbTransaction, userId: string, at: Date): Promise<void> {
  const [terms] = await tx.run<ApprovedTerms>(APPROVE, [userId, at]);
  if (!terms) return;
  const affiliate = await findUser(tx, terms.affiliateId);
  if (affiliate && !affiliate.is_erasing) await startCommission(tx, { userId, ...terms });
}

/** Approves a fan with the first credited payment. Runs under the wallet lock of the fan. */
export async function recordFirstDeposit(tx: DbTransaction, { fanId, at }: { fanId: string; at: Date }): Promise<void> {
  await approve(tx, fanId, at);
}

/**
 * Records submitted documents or a verification. Approval starts when this runs, because sales before it earned no
 * commission.
 */
export async function recordVerification(
  { db, clock }: Pick<Context, 'clock' | 'db'>,
  { creatorId, status }: EventPayload<'verification.changed'>,
): Promise<void> {
  if (status === 'verified') await db.transaction((tx) => approve(tx, creatorId, clock.now()));
  else if (status === 'submitted') await db.run(REVIEW, [creatorId]);
}

type Inviter = { affiliateId: string; at: Date };

async function findInviter(ctx: Context, signedUp: EventPayload<'account.created'>): Promise<Inviter | undefined> {
  const { userId, referralCode, browserAccountIds = [] } = signedUp;
  const affiliateId = referralCode === null ? undefined : await findCodeOwner(ctx.db, referralCode);
  if (!affiliateId || browserAccountIds.includes(affiliateId)) return undefined;
  const [affiliate, referred] = [await findUser(ctx.db, affiliateId), await findUser(ctx.db, userId)];
  if (!affiliate || !referred || affiliate.is_blocked || isSameMailbox(affiliate.email, referred.email))
    return undefined;
  // An affiliate must be older than the referred user, so that two users cannot refer each other.
  return affiliate.created_at < referred.created_at ? { affiliateId, at: referred.created_at } : undefined;
}

const isReferred = (type: string): type is ReferredType => type === 'customer' || type === 'creator';

/** Records the referral of a new user. An invalid code is ignored silently, and the account works like any other. */
export async function recordReferral(ctx: Context, signedUp: EventPayload<'account.created'>): Promise<void> {
  const { userId, type } = signedUp;
  if (!isReferred(type)) return;
  const inviter = await findInviter(ctx, signedUp);
  if (!inviter) return;
  await ctx.db.transaction(async (tx) => {
    // The wallet lock orders this with the first payment, which may come before or after.
    if (type === 'customer') await lockWallet(tx, userId);
    await tx.run(INVITE, [userId, inviter.affiliateId, type, inviter.at]);
    if (type === 'customer' && (await hasPaid(tx, userId))) await approve(tx, userId, ctx.clock.now());
  });
}
