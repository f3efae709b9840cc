/** What the operator sets for payouts, and what follows from it for one request. */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { asCents, type Cents, percentOf, toCents, toUsd } from '@stagedoor/contract/atoms/money.ts';
import type { AnswerOf, BodyOf } from '@stagedoor/contract/atoms/route.ts';
import type {
  decidePayoutLimit as decideRoute,
  getPayoutSettings,
  setPayoutSettings,
} from '@stagedoor/contract/payout-desk.ts';
import type { PayoutKind, PayoutSource } from '@stagedoor/contract/payouts.ts';
import type { Selectable, Updateable } from 'kysely';
import type { Context } from '../../kernel/context.ts';
import type { Executor, Tables, Transaction } from '../../kernel/db.ts';
import { findPeople } from '../accounts/index.ts';
import { noteAct } from '../audit/index.ts';
import { requireCounts } from '../operators/index.ts';
import { isAlone } from './alone.ts';

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
  const row = await rowOf(db);
  const { wanted_cents: cents, wanted_by: byId, wanted_at: at, wanted_ground: ground } = row;
  const isWanted = cents !== null && byId !== null && at !== null;
  const operator = isWanted ? (await findPeople(db, [byId])).get(byId)?.username : undefined;
  return {
    ...viewOf(settingsIn(row)),
    raise: isWanted
      ? { to: toUsd(cents), operator: operator ?? byId, ground: ground ?? '', at: at.toISOString() }
      : null,
  };
}

const isAs = (one: Readonly<Record<string, number>>, other: Readonly<Record<string, number>>) =>
  Object.entries(one).every(([name, value]) => other[name] === value);

/** Who comes second waits here, and reads what the first has set. */
async function lockSettings(tx: Transaction): Promise<Row> {
  return tx.query.selectFrom('payout_settings').selectAll().forUpdate().executeTakeFirstOrThrow();
}

type Wanted = Pick<Updateable<Tables['payout_settings']>, 'wanted_cents' | 'wanted_by' | 'wanted_at' | 'wanted_ground'>;
const NOTHING_WANTED: Wanted = { wanted_cents: null, wanted_by: null, wanted_at: null, wanted_ground: null };

/**
 * An operator changes them; what was requested before keeps its terms. A higher limit waits for a second operator, unless there is
 * none. Throws CONFLICT when they are no longer as that operator saw them.
 */
export async function setSettings(
  ctx: Pick<Context, 'clock' | 'db'>,
  operatorId: string,
  { from, to: body, ground }: BodyOf<typeof setPayoutSettings>,
): Promise<AnswerOf<typeof setPayoutSettings>> {
  await ctx.db.transaction(async (tx) => {
    const before: Readonly<Record<string, number>> = viewOf(settingsIn(await lockSettings(tx)));
    const changed = Object.entries(body).filter(([name, value]) => before[name] !== value);
    if (changed.length === 0) return;
    if (!isAs(from, before))
      throw new AppError('CONFLICT', { message: 'Somebody has changed them meanwhile: these are the new ones.' });
    const { secondApprover: limit } = from;
    const [isHigher, cents] = [body.secondApprover > limit, toCents(body.secondApprover)];
    const waits = isHigher && !(await isAlone(ctx, tx, operatorId));
    if (waits) await requireCounts(ctx, tx, operatorId);
    const wanted: Wanted = waits
      ? { wanted_cents: cents, wanted_by: operatorId, wanted_at: ctx.clock.now(), wanted_ground: ground }
      : body.secondApprover === limit
        ? {}
        : NOTHING_WANTED;
    await tx.query
      .updateTable('payout_settings')
      .set({
        minimum_cents: toCents(body.minimum),
        crypto_minimum_cents: toCents(body.cryptoMinimum),
        referrals_minimum_cents: toCents(body.referralsMinimum),
        referrals_fee_basis_points: Math.round(body.referralsFeePercent * 100),
        cooling_hours: body.coolingHours,
        second_approver_cents: waits ? toCents(limit) : cents,
        ...wanted,
      })
      .execute();
    await tx.emit('payouts.settingsChanged', {});
    const facts = changed.flatMap(([name, value]) => [
      [waits && name === 'secondApprover' ? 'secondApproverWanted' : name, value],
      [`${name}Before`, before[name] ?? null],
    ]);
    await noteAct(ctx, tx, {
      operatorId,
      act: 'settings.payouts',
      subjectKind: 'settings',
      subjectId: 'payouts',
      facts: { ...Object.fromEntries(facts), ground },
    });
  });
  return viewSettings(ctx);
}

/** A second operator decides on a higher limit. Throws CONFLICT when nobody wants that one (any more), or who wants it confirms it. */
export async function decideLimit(
  ctx: Pick<Context, 'clock' | 'db'>,
  operatorId: string,
  { decision, to, ground }: BodyOf<typeof decideRoute>,
): Promise<AnswerOf<typeof decideRoute>> {
  await ctx.db.transaction(async (tx) => {
    const row = await lockSettings(tx);
    if (row.wanted_cents !== toCents(to)) throw new AppError('CONFLICT', { message: 'This was decided already.' });
    const isConfirmed = decision === 'confirm';
    if (isConfirmed && row.wanted_by === operatorId)
      throw new AppError('CONFLICT', { message: 'You asked for it yourself: another operator confirms it.' });
    if (isConfirmed) await requireCounts(ctx, tx, operatorId);
    await tx.query
      .updateTable('payout_settings')
      .set({ ...NOTHING_WANTED, ...(isConfirmed && { second_approver_cents: row.wanted_cents }) })
      .execute();
    if (isConfirmed) await tx.emit('payouts.settingsChanged', {});
    const before = toUsd(asCents(row.second_approver_cents));
    await noteAct(ctx, tx, {
      operatorId,
      act: `settings.payouts.${decision}`,
      subjectKind: 'settings',
      subjectId: 'payouts',
      facts: {
        ground,
        wantedBy: row.wanted_by,
        ...(isConfirmed ? { secondApprover: to, secondApproverBefore: before } : { secondApproverRefused: to }),
      },
    });
  });
  return viewSettings(ctx);
}

/** For the desk: whether a higher limit waits for a second operator. */
export async function countLimits(db: Executor): Promise<{ count: number; since: Date | null }> {
  const { wanted_at: since } = await rowOf(db);
  return { count: since === null ? 0 : 1, since };
}

/** The least that may be requested. */
export function minimumOf(settings: PayoutSettings, source: PayoutSource, kind: PayoutKind): Cents {
  const ofKind = kind === 'crypto' ? settings.cryptoMinimumCents : settings.minimumCents;
  return asCents(source === 'referrals' ? Math.max(ofKind, settings.referralsMinimumCents) : ofKind);
}

/** How many operators approve a sum. */
export const approvalsFor = ({ secondApproverCents }: PayoutSettings, amountCents: number): 1 | 2 =>
  amountCents > secondApproverCents ? 2 : 1;

/** How many operators approve a request: by the limit when it was made, or by that of now if it is lower. */
export const approvalsNeeded = (
  { approvals_needed: then, amount_cents: cents }: { approvals_needed: number; amount_cents: number },
  settings: PayoutSettings,
): number => Math.max(then, approvalsFor(settings, cents));

/** What is withheld of a sum. */
export function feeOf(settings: PayoutSettings, source: PayoutSource, amountCents: Cents): Cents {
  return source === 'referrals' ? percentOf(amountCents, settings.referralsFeePercent) : asCents(0);
}
