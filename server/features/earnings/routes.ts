import * as contract from '@stagedoor/contract/earnings.ts';
import type { Server } from '../../kernel/bind.ts';
import { viewChart } from './chart.ts';
import {
  earningOf,
  viewClearingDays,
  viewCreatorBalance,
  viewCreatorStats,
  viewEarnings,
  viewStatsByNow,
} from './earnings.ts';
import { viewFees } from './fees.ts';
import { viewHighlights, viewSpent } from './highlights.ts';
import { createWatching } from './watching.ts';

/** Earnings of one creator are delivered in order. */
const earningsOf = ({ creatorId }: { creatorId: string }) => `earnings:${creatorId}`;

export function register({ ctx, bind }: Server): void {
  bind(contract.creatorStats, ({ actor }) => viewCreatorStats(ctx, actor));
  bind(contract.statsByNow, ({ actor }) => viewStatsByNow(ctx, actor));
  bind(contract.creatorBalance, ({ actor }) => viewCreatorBalance(ctx, actor));
  bind(contract.clearingDays, ({ actor }) => viewClearingDays(ctx, actor));
  bind(contract.listEarnings, ({ actor, query }) => viewEarnings(ctx, actor, query));
  bind(contract.creatorFees, ({ actor }) => viewFees(ctx, actor));
  bind(contract.earningsChart, ({ actor, query }) => viewChart(ctx, actor, query));

  bind(contract.creatorHighlights, ({ actor }) => viewHighlights(ctx, actor));
  bind(contract.spentByFans, ({ actor, query }) => viewSpent(ctx, actor, query));

  const isWatching = createWatching(ctx);
  async function tellEarning({
    creatorId,
    transactionId,
  }: {
    creatorId: string;
    transactionId: string;
  }): Promise<void> {
    if (!isWatching(creatorId)) return;
    const earning = await earningOf(ctx, transactionId);
    if (earning) ctx.realtime.toUser(creatorId, contract.earningReceived, earning);
  }
  ctx.events.tell('sale.made', 'earnings.made', earningsOf, ({ payload }) => tellEarning(payload));
  ctx.events.tell('sale.refunded', 'earnings.refunded', earningsOf, ({ payload }) => tellEarning(payload));
}
