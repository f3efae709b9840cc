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

/** One wallet's balances arrive in the order in which they came about. */
const walletOf = ({ fanId }: { fanId: string }) => `wallet:${fanId}`;
const earningsOf = ({ creatorId }: { creatorId: string }) => `earnings:${creatorId}`;

export function registerReactions(ctx: Context): void {
  const isWatching = createPresence(ctx);

  async function tellEarning(creatorId: string, transactionId: string): Promise<void> {
    if (!isWatching(creatorId)) return;
    const earning = await earningOf(ctx, transactionId);
    if (earning) tell(ctx, creatorId, earningReceived, earning);
  }

  ctx.events.do(
    'processor.received',
    'wallet.process',
    { lane: 'money', subject: ({ eventId }) => `processor:${eventId}` },
    ({ payload }) => processEvent(ctx, payload.eventId),
  );

  ctx.events.tell('deposit.changed', 'wallet.balance', walletOf, ({ payload }) => {
    tell(ctx, payload.fanId, balanceChanged, {
      deposit: toUsd(payload.balanceCents),
      transactionId: payload.transactionId,
    });
  });

  ctx.events.tell('sale.made', 'wallet.balance', walletOf, ({ payload }) => {
    tell(ctx, payload.fanId, balanceChanged, {
      deposit: toUsd(payload.balanceCents),
      transactionId: payload.transactionId,
    });
  });

  ctx.events.tell('sale.made', 'wallet.earning', earningsOf, ({ payload }) =>
    tellEarning(payload.creatorId, payload.transactionId),
  );

  ctx.events.tell('sale.refunded', 'wallet.balance', walletOf, ({ payload }) => {
    tell(ctx, payload.fanId, balanceChanged, { deposit: toUsd(payload.balanceCents), transactionId: payload.refundId });
  });

  ctx.events.tell('sale.refunded', 'wallet.earning', earningsOf, ({ payload }) =>
    tellEarning(payload.creatorId, payload.transactionId),
  );
}
