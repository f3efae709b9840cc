import * as contract from '@stagedoor/contract/finance/earnings.ts';
import type { ModuleHost } from '../../../platform/http/routing.ts';
import { viewChart } from './chart.ts';
import { createConnectionCheck } from './connected-users.ts';
import {
  findEarning,
  viewClearingDays,
  viewCreatorBalance,
  viewCreatorStats,
  viewEarnings,
  viewSameTimeStats,
} from './earnings.ts';
import { viewFees } from './fees.ts';
import { viewFanSpending, viewHighlights } from './highlights.ts';

/** Earnings of one creator are delivered in order. */
const toEarningsKey = ({ creatorId }: { creatorId: string }) => `earnings:${creatorId}`;

export function register({ ctx, bind }: ModuleHost): void {
  bind(contract.getCreatorStats, ({ actor }) => viewCreatorStats(ctx, actor));
  bind(contract.getSameTimeStats, ({ actor }) => viewSameTimeStats(ctx, actor));
  bind(contract.getCreatorBalance, ({ actor }) => viewCreatorBalance(ctx, actor));
  bind(contract.listClearingDays, ({ actor }) => viewClearingDays(ctx, actor));
  bind(contract.listEarnings, ({ actor, query }) => viewEarnings(ctx, actor, query));
  bind(contract.getCreatorFees, ({ actor }) => viewFees(ctx, actor));
  bind(contract.getEarningsChart, ({ actor, query }) => viewChart(ctx, actor, query));

  bind(contract.getCreatorHighlights, ({ actor }) => viewHighlights(ctx, actor));
  bind(contract.listFanSpending, ({ actor, query }) => viewFanSpending(ctx, actor, query));

  const mayBeConnected = createConnectionCheck(ctx);
  async function emitEarning({
    creatorId,
    transactionId,
  }: {
    creatorId: string;
    transactionId: string;
  }): Promise<void> {
    if (!mayBeConnected(creatorId)) return;
    const earning = await findEarning(ctx, transactionId);
    if (earning) ctx.realtime.emitToUser(creatorId, contract.earningReceived, earning);
  }
  ctx.events.addBroadcastHandler('sale.made', 'earnings.made', toEarningsKey, ({ payload }) => emitEarning(payload));
  ctx.events.addBroadcastHandler('sale.refunded', 'earnings.refunded', toEarningsKey, ({ payload }) =>
    emitEarning(payload),
  );
}
