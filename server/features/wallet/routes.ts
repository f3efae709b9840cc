/** Binds the wallet's routes; every open tab of a fan learns the balance after each movement. */
import { toUsd } from '@stagedoor/contract/atoms/money.ts';
import * as contract from '@stagedoor/contract/wallet.ts';
import type { Server } from '../../kernel/bind.ts';
import type { Context } from '../../kernel/context.ts';
import { viewReceipt } from './receipts.ts';
import { viewTransactions, viewWallet } from './statement.ts';
import { createPayees, giveTip } from './tips.ts';

/** One wallet's balances arrive in the order in which they came about. */
const walletOf = ({ fanId }: { fanId: string }) => `wallet:${fanId}`;

function tellBalances(ctx: Context): void {
  const tell = (fanId: string, balanceCents: number, transactionId: string | null) =>
    ctx.realtime.toUser(fanId, contract.balanceChanged, { deposit: toUsd(balanceCents), transactionId });
  ctx.events.tell('deposit.changed', 'wallet.balance', walletOf, ({ payload }) =>
    tell(payload.fanId, payload.balanceCents, payload.transactionId),
  );
  ctx.events.tell('sale.made', 'wallet.balance', walletOf, ({ payload }) =>
    tell(payload.fanId, payload.balanceCents, payload.transactionId),
  );
  ctx.events.tell('sale.refunded', 'wallet.balance', walletOf, ({ payload }) =>
    tell(payload.fanId, payload.balanceCents, payload.refundId),
  );
}

export function register({ ctx, bind }: Server): void {
  const isPayee = createPayees(ctx);

  bind(contract.transactionHistory, ({ actor, query }) => viewTransactions(ctx, actor, query));
  bind(contract.getReceipt, ({ actor, params }) => viewReceipt(ctx, actor, params.id));
  bind(contract.getWallet, ({ actor }) => viewWallet(ctx, actor));
  bind(contract.sendTip, ({ actor, params, body, operationId }) =>
    giveTip(ctx, isPayee, actor, { ...body, creatorId: params.creatorId, operationId }),
  );
  tellBalances(ctx);
}
