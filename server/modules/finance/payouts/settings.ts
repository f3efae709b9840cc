import type { getPayoutSettings, updatePayoutSettings } from '@stagedoor/contract/admin/payouts.ts';
import type { PayoutKind, PayoutSource } from '@stagedoor/contract/finance/payouts.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { asCents, type Cents, calculatePercent, toCents, toUsd } from '@stagedoor/contract/shared/money.ts';
import type { BodyOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Selectable } from 'kysely';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction, Executor, Tables } from '../../../platform/database/db.ts';
import { logAction } from '../../identity/audit-log/index.ts';
import { splitGuardedChanges } from '../../identity/staff/index.ts';

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

const getRow = (db: Executor) => db.query.selectFrom('payout_settings').selectAll().executeTakeFirstOrThrow();

export async function loadPayoutSettings(db: Executor): Promise<PayoutSettings> {
  return toPayoutSettings(await getRow(db));
}

const toSettingsView = (settings: PayoutSettings) => ({
  minimum: toUsd(settings.minimumCents),
  cryptoMinimum: toUsd(settings.cryptoMinimumCents),
  referralsMinimum: toUsd(settings.referralsMinimumCents),
  referralsFeePercent: settings.referralsFeePercent,
  coolingHours: settings.coolingHours,
  secondApprover: toUsd(settings.secondApproverCents),
});

export async function viewPayoutSettings({
  db,
}: Pick<Context, 'db'>): Promise<ResponseInputOf<typeof getPayoutSettings>> {
  return toSettingsView(await loadPayoutSettings(db));
}

const hasSameValues = (values: Readonly<Record<string, number>>, otherValues: Readonly<Record<string, number>>) =>
  Object.entries(values).every(([name, value]) => otherValues[name] === value);

async function lockSettings(tx: DbTransaction): Promise<Row> {
  return tx.query.selectFrom('payout_settings').selectAll().forUpdate().executeTakeFirstOrThrow();
}

/** Blocks changes of the settings until the transaction ends. */
export async function lockPayoutSettings(tx: DbTransaction): Promise<void> {
  await lockSettings(tx);
}

const toColumns = (body: ReturnType<typeof toSettingsView>) => ({
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
export async function savePayoutSettings(
  ctx: Pick<Context, 'clock' | 'db'>,
  operatorId: string,
  { from, to, reason }: BodyOf<typeof updatePayoutSettings>,
): Promise<ResponseInputOf<typeof updatePayoutSettings>> {
  await ctx.db.transaction(async (tx) => {
    const before = toSettingsView(toPayoutSettings(await lockSettings(tx)));
    if (hasSameValues(to, before)) return;
    if (!hasSameValues(from, before))
      throw new AppError('CONFLICT', { message: 'Someone else changed these settings. Showing the latest.' });
    const { retained, details } = await splitGuardedChanges(ctx, tx, { operatorId, reason, before, to });
    await tx.query
      .updateTable('payout_settings')
      .set(toColumns({ ...to, ...retained }))
      .execute();
    await tx.emit('payouts.settingsChanged', {});
    await logAction(ctx, tx, {
      operatorId,
      action: 'settings.payouts',
      subjectKind: 'settings',
      subjectId: 'payouts',
      details: { ...details, reason },
    });
  });
  return viewPayoutSettings(ctx);
}

/** Applies a confirmed limit or cooling period. Requires {@link lockPayoutSettings}. */
export async function setPayoutGuard(
  tx: DbTransaction,
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

export function getMinimum(settings: PayoutSettings, source: PayoutSource, kind: PayoutKind): Cents {
  const kindMinimum = kind === 'crypto' ? settings.cryptoMinimumCents : settings.minimumCents;
  return asCents(source === 'referrals' ? Math.max(kindMinimum, settings.referralsMinimumCents) : kindMinimum);
}

export const getRequiredApprovals = ({ secondApproverCents }: PayoutSettings, amountCents: number): 1 | 2 =>
  amountCents > secondApproverCents ? 2 : 1;

/**
 * Returns how many operators must approve a request, under the stricter of the limit at the request and the current
 * one.
 */
export const getApprovalsNeeded = (
  { approvals_needed: requiredAtRequest, amount_cents: cents }: { approvals_needed: number; amount_cents: number },
  settings: PayoutSettings,
): number => Math.max(requiredAtRequest, getRequiredApprovals(settings, cents));

export function calculateFee(settings: PayoutSettings, source: PayoutSource, amountCents: Cents): Cents {
  return source === 'referrals' ? calculatePercent(amountCents, settings.referralsFeePercent) : asCents(0);
}
