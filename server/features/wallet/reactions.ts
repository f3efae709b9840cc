/** What happens after money moved: every open tab of the fan learns the balance, the creator learns what was earned. */

import type { EventInput, EventSpec } from '@stagedoor/contract/atoms/event.ts';
import { toUsd } from '@stagedoor/contract/atoms/money.ts';
import { balanceChanged, earningReceived } from '@stagedoor/contract/wallet.ts';
import type { Context } from '../../kernel/context.ts';
import { earningOf } from './earnings.ts';
import './events.ts';
import { createPresence } from './presence.ts';
import { processEvent } from './process.ts';

/** To a person's every tab; nothing leaves that the event's schema does not name. */
function tell<E extends EventSpec>(ctx: Context, userId: string, event: E, payload: EventInput<E>): void {
  ctx.realtime.toUser(userId, event, payload);
}

export function registerReactions(ctx: Context): void {
  const isWatching = createPresence(ctx);

  async function tellEarning(creatorId: string, transactionId: string): Promise<void> {
    if (!isWatching(creatorId)) return;
    const earning = await earningOf(ctx, transactionId);
    if (earning) tell(ctx, creatorId, earningReceived, earning);
  }

  ctx.events.on('processor.received', 'wallet.process', ({ payload }) => processEvent(ctx, payload.eventId));

  ctx.events.on('deposit.changed', 'wallet.balance', ({ payload }) => {
    tell(ctx, payload.fanId, balanceChanged, {
      deposit: toUsd(payload.balanceCents),
      transactionId: payload.transactionId,
    });
  });

  ctx.events.on('sale.made', 'wallet.balance', ({ payload }) => {
    tell(ctx, payload.fanId, balanceChanged, {
      deposit: toUsd(payload.balanceCents),
      transactionId: payload.transactionId,
    });
  });

  ctx.events.on('sale.made', 'wallet.earning', ({ payload }) => tellEarning(payload.creatorId, payload.transactionId));

  ctx.events.on('sale.refunded', 'wallet.balance', ({ payload }) => {
    tell(ctx, payload.fanId, balanceChanged, { deposit: toUsd(payload.balanceCents), transactionId: payload.refundId });
  });

  ctx.events.on('sale.refunded', 'wallet.earning', ({ payload }) =>
    tellEarning(payload.creatorId, payload.transactionId),
  );
}
