/** Weekly settlements of the processor: deposits minus refunds, fees and a reserve. */
import { asCents, percentOf, toCents, toUsd } from '@stagedoor/contract/atoms/money.ts';
import { quoteAmount } from '@stagedoor/contract/payments.ts';
import { bookSettlement } from '../features/payments/index.ts';
import type { Act } from './history.ts';
import type { Stage } from './studio.ts';
import { SECOND_OPERATOR } from './world.ts';

const DAY_MS = 24 * 60 * 60_000;
const WEEK_MS = 7 * DAY_MS;
const ARRIVES_MS = 3 * DAY_MS;
const LAST_MS = 2 * DAY_MS;
const RESERVE_PERCENT = 5;
const FEE_PERCENT = 12;
const CHARGEBACK_FEE_CENTS = 2_500;

export type SettlementAct = { kind: 'settlement'; day: string; gross: number; fees: number; chargebackFees: number };

export function settlementsOf(acts: readonly Act[], epoch: Date): (SettlementAct & { at: Date })[] {
  const weeks = Array.from({ length: 8 }, (_, week) => new Date(epoch.getTime() - LAST_MS - week * WEEK_MS));
  return weeks.flatMap((at) => {
    const until = at.getTime() - ARRIVES_MS;
    const within = acts.filter(({ at: then }) => then.getTime() >= until - WEEK_MS && then.getTime() < until);
    let net = 0;
    let chargebacks = 0;
    for (const act of within) {
      if (act.kind === 'deposit' && !act.isDeclined) net += quoteAmount(toCents(act.usd)).payableCents;
      if (act.kind === 'takeBack') net -= toCents(act.usd);
      if (act.kind === 'takeBack' && act.event === 'Chargeback') chargebacks += 1;
    }
    if (net <= 0) return [];
    const gross = asCents(net - percentOf(asCents(net), RESERVE_PERCENT));
    const [fees, chargebackFees] = [percentOf(gross, FEE_PERCENT), chargebacks * CHARGEBACK_FEE_CENTS];
    const sums = { gross: toUsd(gross), fees: toUsd(fees), chargebackFees: toUsd(chargebackFees) };
    return [{ kind: 'settlement', day: at.toISOString().slice(0, 10), ...sums, at }];
  });
}

/** Idempotent. */
export async function settle({ past, ids }: Stage, act: SettlementAct): Promise<void> {
  const { day, gross, fees, chargebackFees } = act;
  const kept = toCents(fees) + toCents(chargebackFees);
  await bookSettlement(past.ctx, ids.get(SECOND_OPERATOR.username) ?? '', {
    reference: `CCB-${day.replaceAll('-', '')}`,
    ...{ day, bank: toUsd(toCents(gross) - kept), fees, chargebackFees },
  });
}
