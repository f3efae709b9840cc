/** Weekly settlements of the processor: deposits minus refunds, fees and a reserve. */

import { quoteAmount } from '@stagedoor/contract/commerce/deposits.ts';
import { asCents, calculatePercent, toCents, toUsd } from '@stagedoor/contract/shared/money.ts';
import { bookSettlement } from '../modules/commerce/reconciliation/index.ts';
import type { DemoAction, DemoSettlementAction } from './actions.ts';
import type { DemoContext } from './demo-context.ts';
import { SECOND_OPERATOR } from './world.ts';

const DAY_MS = 24 * 60 * 60_000;
const WEEK_MS = 7 * DAY_MS;
const TRANSFER_MS = 3 * DAY_MS;
const NEWEST_AGE_MS = 2 * DAY_MS;
const RESERVE_PERCENT = 5;
const FEE_PERCENT = 12;
const CHARGEBACK_FEE_CENTS = 2_500;

export function listSettlementActions(
  actions: readonly DemoAction[],
  epoch: Date,
): (DemoSettlementAction & { at: Date })[] {
  const weeks = Array.from({ length: 8 }, (_, week) => new Date(epoch.getTime() - NEWEST_AGE_MS - week * WEEK_MS));
  return weeks.flatMap((at) => {
    const until = at.getTime() - TRANSFER_MS;
    const included = actions.filter(
      ({ at: actionAt }) => actionAt.getTime() >= until - WEEK_MS && actionAt.getTime() < until,
    );
    let net = 0;
    let chargebacks = 0;
    for (const action of included) {
      if (action.kind === 'deposit' && !action.isDeclined) net += quoteAmount(toCents(action.usd)).payableCents;
      if (action.kind === 'reversal') net -= toCents(action.usd);
      if (action.kind === 'reversal' && action.event === 'Chargeback') chargebacks += 1;
    }
    if (net <= 0) return [];
    const gross = asCents(net - calculatePercent(asCents(net), RESERVE_PERCENT));
    const [fees, chargebackFees] = [calculatePercent(gross, FEE_PERCENT), chargebacks * CHARGEBACK_FEE_CENTS];
    const sums = { gross: toUsd(gross), fees: toUsd(fees), chargebackFees: toUsd(chargebackFees) };
    return [{ kind: 'settlement', day: at.toISOString().slice(0, 10), ...sums, at }];
  });
}

/** Idempotent. */
export async function performSettlement({ pastApp, ids }: DemoContext, action: DemoSettlementAction): Promise<void> {
  const { day, gross, fees, chargebackFees } = action;
  const deductedCents = toCents(fees) + toCents(chargebackFees);
  await bookSettlement(pastApp.ctx, ids.get(SECOND_OPERATOR.username) ?? '', {
    reference: `CCB-${day.replaceAll('-', '')}`,
    ...{ day, bank: toUsd(toCents(gross) - deductedCents), fees, chargebackFees },
  });
}
