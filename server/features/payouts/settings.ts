import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { asCents, type Cents, percentOf, toCents, toUsd } from '@stagedoor/contract/atoms/money.ts';
import type { AnswerOf, BodyOf } from '@stagedoor/contract/atoms/route.ts';
import type { getPayoutSettings, setPayoutSettings } from '@stagedoor/contract/payout-desk.ts';
import type { PayoutKind, PayoutSource } from '@stagedoor/contract/payouts.ts';
import type { Selectable } from 'kysely';
import type { Context } from '../../kernel/context.ts';
import type { Executor, Tables, Transaction } from '../../kernel/db.ts';
import { noteAct } from '../audit/index.ts';
import { holdBack } from '../operators/index.ts';

export type PayoutSettings = {
  minimumCents: number;
  cryptoMinimumCents: number;
  referralsMinimumCents: number;
  referralsFeePercent: number;
  coolingHours: number;
  secondApproverCents: number;
};
type Row = Selectable<Tables['payout_settings']>;

const settingsIn = (row: Row): PayoutSettings => ({
  minimumCents: row.minimum_cents,
  cryptoMinimumCents: row.crypto_minimum_cents,
  referralsMinimumCents: row.referrals_minimum_cents,
  referralsFeePercent: row.referrals_fee_basis_points / 100,
  coolingHours: row.cooling_hours,
  secondApproverCents: row.second_approver_cents,
});

const rowOf = (db: Executor) => db.query.selectFrom('payout_settings').selectAll().executeTakeFirstOrThrow();

export async function payoutSettings(db: Executor): Promise<PayoutSettings> {
  return settingsIn(await rowOf(db));
}

const viewOf = (settings: PayoutSettings) => ({
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

async function lockSettings(tx: Transaction): Promise<Row> {
  return tx.query.selectFrom('payout_settings').selectAll().forUpdate().executeTakeFirstOrThrow();
}

/** Blocks changes of the settings until the transaction ends. */
export async function lockPayoutSettings(tx: Transaction): Promise<void> {
  await lockSettings(tx);
}

const columnsOf = (body: ReturnType<typeof viewOf>) => ({
  minimum_cents: toCents(body.minimum),
  crypto_minimum_cents: toCents(body.cryptoMinimum),
  referrals_minimum_cents: toCents(body.referralsMinimum),
  referrals_fee_basis_points: Math.round(body.referralsFeePercent * 100),
  cooling_hours: body.coolingHours,
  second_approver_cents: toCents(body.secondApprover),
});

/**
 * Changes the settings. Existing requests keep their terms. A higher limit or a shorter cooling period waits for a
 * second operator if there is one. Throws CONFLICT when the values differ from those the operator saw.
 */
export async function setSettings(
  ctx: Pick<Context, 'clock' | 'db'>,
  operatorId: string,
  { from, to, ground }: BodyOf<typeof setPayoutSettings>,
): Promise<AnswerOf<typeof setPayoutSettings>> {
  await ctx.db.transaction(async (tx) => {
    const before = viewOf(settingsIn(await lockSettings(tx)));
    if (isAs(to, before)) return;
    if (!isAs(from, before))
      throw new AppError('CONFLICT', { message: 'Someone else changed these settings. Showing the latest.' });
    const { held, facts } = await holdBack(ctx, tx, { operatorId, ground, before, to });
    await tx.query
      .updateTable('payout_settings')
      .set(columnsOf({ ...to, ...held }))
      .execute();
    await tx.emit('payouts.settingsChanged', {});
    await noteAct(ctx, tx, {
      operatorId,
      act: 'settings.payouts',
      subjectKind: 'settings',
      subjectId: 'payouts',
      facts: { ...facts, ground },
    });
  });
  return viewSettings(ctx);
}

/** Applies a confirmed limit or cooling period. Requires {@link lockPayoutSettings}. */
export async function setPayoutGuard(
  tx: Transaction,
  { secondApproverCents, coolingHours }: Partial<Pick<PayoutSettings, 'secondApproverCents' | 'coolingHours'>>,
): Promise<void> {
  await tx.query
    .updateTable('payout_settings')
    .set({
      ...(secondApproverCents !== undefined && { second_approver_cents: secondApproverCents }),
      ...(coolingHours !== undefined && { cooling_hours: coolingHours }),
    })
    .execute();
  await tx.emit('payouts.settingsChanged', {});
}

export function minimumOf(settings: PayoutSettings, source: PayoutSource, kind: PayoutKind): Cents {
  const ofKind = kind === 'crypto' ? settings.cryptoMinimumCents : settings.minimumCents;
  return asCents(source === 'referrals' ? Math.max(ofKind, settings.referralsMinimumCents) : ofKind);
}

export const approvalsFor = ({ secondApproverCents }: PayoutSettings, amountCents: number): 1 | 2 =>
  amountCents > secondApproverCents ? 2 : 1;

/**
 * Returns how many operators must approve a request, under the stricter of the limit at the request and the current
 * one.
 */
export const approvalsNeeded = (
  { approvals_needed: then, amount_cents: cents }: { approvals_needed: number; amount_cents: number },
  settings: PayoutSettings,
): number => Math.max(then, approvalsFor(settings, cents));

export function feeOf(settings: PayoutSettings, source: PayoutSource, amountCents: Cents): Cents {
  return source === 'referrals' ? percentOf(amountCents, settings.referralsFeePercent) : asCents(0);
}
