/** What the operator sets for payouts, and what follows from it for one request. */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { asCents, type Cents, percentOf, toCents, toUsd } from '@stagedoor/contract/atoms/money.ts';
import type { AnswerOf, BodyOf } from '@stagedoor/contract/atoms/route.ts';
import type { getPayoutSettings, setPayoutSettings } from '@stagedoor/contract/payout-desk.ts';
import type { PayoutKind, PayoutSource } from '@stagedoor/contract/payouts.ts';
import type { Context } from '../../kernel/context.ts';
import type { Executor, Transaction } from '../../kernel/db.ts';
import { noteAct } from '../audit/index.ts';

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

/** Changes what the operator sets; what was requested before keeps its terms. */
export async function changePayoutSettings(tx: Transaction, change: PayoutSettings): Promise<void> {
  await tx.query
    .updateTable('payout_settings')
    .set({
      minimum_cents: change.minimumCents,
      crypto_minimum_cents: change.cryptoMinimumCents,
      referrals_minimum_cents: change.referralsMinimumCents,
      referrals_fee_basis_points: Math.round(change.referralsFeePercent * 100),
      cooling_hours: change.coolingHours,
      second_approver_cents: change.secondApproverCents,
    })
    .execute();
}

const viewOf = (settings: PayoutSettings): AnswerOf<typeof getPayoutSettings> => ({
  minimum: toUsd(settings.minimumCents),
  cryptoMinimum: toUsd(settings.cryptoMinimumCents),
  referralsMinimum: toUsd(settings.referralsMinimumCents),
  referralsFeePercent: settings.referralsFeePercent,
  coolingHours: settings.coolingHours,
  secondApprover: toUsd(settings.secondApproverCents),
});

export async function viewSettings({ db }: Pick<Context, 'db'>): Promise<AnswerOf<typeof getPayoutSettings>> {
  return viewOf(await payoutSettings(db));
}

const isAs = (one: Readonly<Record<string, number>>, other: Readonly<Record<string, number>>) =>
  Object.entries(one).every(([name, value]) => other[name] === value);

/** An operator changes them. Throws CONFLICT when they are no longer as that operator saw them. */
export async function setSettings(
  ctx: Pick<Context, 'clock' | 'db'>,
  operatorId: string,
  { from, to: body }: BodyOf<typeof setPayoutSettings>,
): Promise<AnswerOf<typeof setPayoutSettings>> {
  await ctx.db.transaction(async (tx) => {
    // Who comes second waits here, and reads what the first has set.
    await tx.query.selectFrom('payout_settings').select('cooling_hours').forUpdate().execute();
    const before: Readonly<Record<string, number>> = viewOf(await payoutSettings(tx));
    const changed = Object.entries(body).filter(([name, value]) => before[name] !== value);
    if (changed.length === 0) return;
    if (!isAs(from, before))
      throw new AppError('CONFLICT', { message: 'Somebody has changed them meanwhile: these are the new ones.' });
    await changePayoutSettings(tx, {
      minimumCents: toCents(body.minimum),
      cryptoMinimumCents: toCents(body.cryptoMinimum),
      referralsMinimumCents: toCents(body.referralsMinimum),
      referralsFeePercent: body.referralsFeePercent,
      coolingHours: body.coolingHours,
      secondApproverCents: toCents(body.secondApprover),
    });
    await tx.emit('payouts.settingsChanged', {});
    await noteAct(ctx, tx, {
      operatorId,
      act: 'settings.payouts',
      subjectKind: 'settings',
      subjectId: 'payouts',
      facts: Object.fromEntries(
        changed.flatMap(([name, value]) => [
          [name, value],
          [`${name}Before`, before[name] ?? null],
        ]),
      ),
    });
  });
  return viewSettings(ctx);
}

/** The least that may be requested. */
export function minimumOf(settings: PayoutSettings, source: PayoutSource, kind: PayoutKind): Cents {
  const ofKind = kind === 'crypto' ? settings.cryptoMinimumCents : settings.minimumCents;
  return asCents(source === 'referrals' ? Math.max(ofKind, settings.referralsMinimumCents) : ofKind);
}

/** How many operators approve a sum. */
export const approvalsFor = ({ secondApproverCents }: PayoutSettings, amountCents: number): 1 | 2 =>
  amountCents > secondApproverCents ? 2 : 1;

/** What is withheld of a sum. */
export function feeOf(settings: PayoutSettings, source: PayoutSource, amountCents: Cents): Cents {
  return source === 'referrals' ? percentOf(amountCents, settings.referralsFeePercent) : asCents(0);
}
