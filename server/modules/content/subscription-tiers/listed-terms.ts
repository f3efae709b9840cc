/** The terms that lists of creators show and filter by: the lowest price of a month, and whether there is a trial. */
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction, SqlStatement } from '../../../platform/database/db.ts';
import { updateCreatorRow } from '../../identity/accounts/index.ts';
import { isEligible } from './eligibility.ts';
import { CENTS_PER_MONTH } from './opening-tier.ts';

/** Free tiers cost nothing to subscribe to and have no price to compare. */
const LISTED_TERMS: SqlStatement = {
  name: 'subscription-tiers-listed-terms',
  text: `select min(${CENTS_PER_MONTH})::bigint as "cents", coalesce(bool_or(t.trial_days is not null), false) as "hasTrial"
    from subscription_tiers t
    where t.creator_id = $1 and t.deleted_at is null and t.is_open
      and coalesce(t.monthly_cents, t.weekly_cents, t.yearly_cents) is not null`,
};

type ListedTerms = { cents: number | null; hasTrial: boolean };

/**
 * Call it after the tiers or the right to sell have changed, under the lock of the creator. A creator who may not sell has no
 * listed terms, because no one can subscribe.
 */
export async function updateListedTerms(
  ctx: Pick<Context, 'hooks'>,
  tx: DbTransaction,
  creatorId: string,
): Promise<void> {
  const canSell = await isEligible(ctx, tx, creatorId);
  const [terms] = canSell ? await tx.run<ListedTerms>(LISTED_TERMS, [creatorId]) : [];
  await updateCreatorRow(tx, creatorId, {
    subscription_cents: terms?.cents ?? null,
    has_trial: terms?.hasTrial ?? false,
  });
}
