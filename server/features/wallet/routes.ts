import { asCents, toBalance, toUsd } from '@stagedoor/contract/atoms/money.ts';
import * as contract from '@stagedoor/contract/wallet.ts';
import type { Server } from '../../kernel/bind.ts';
import type { Context } from '../../kernel/context.ts';
import { registerWalletClosing } from './closing.ts';
import { viewReceipt } from './receipts.ts';
import { viewTransactions, viewWallet } from './statement.ts';
import { createPayees, giveTip } from './tips.ts';

/** The ordering key, so that balances of one wallet arrive in order. */
const walletOf = ({ fanId }: { fanId: string }) => `wallet:${fanId}`;

type Moved = { fanId: string; balanceCents: number; balanceLine?: number };

function tellBalances(ctx: Context): void {
  const tell = ({ fanId, balanceCents, balanceLine = 0 }: Moved, transactionId: string | null) =>
    ctx.realtime.toUser(fanId, contract.balanceChanged, {
      ...toBalance({ balanceCents, balanceLine }),
      transactionId,
    });
  ctx.events.tell('deposit.changed', 'wallet.balance', walletOf, ({ payload }) => tell(payload, payload.transactionId));
  ctx.events.tell('sale.made', 'wallet.balance', walletOf, ({ payload }) => tell(payload, payload.transactionId));
  ctx.events.tell('sale.refunded', 'wallet.balance', walletOf, ({ payload }) => tell(payload, payload.refundId));
  ctx.events.tell('hold.changed', 'wallet.balance', walletOf, ({ payload }) => tell(payload, payload.transactionId));
  ctx.events.tell('hold.expired', 'wallet.balance', walletOf, ({ payload }) => {
    const { fanId, amountCents, purpose, transactionId } = payload;
    tell(payload, transactionId);
    ctx.realtime.toUser(fanId, contract.holdExpired, { amount: toUsd(asCents(amountCents)), purpose });
  });
  ctx.events.tell(
    'debt.changed',
    'wallet.debt',
    walletOf,
    ({ payload: { fanId, change, cents, owedCents, isBlocked } }) =>
      ctx.realtime.toUser(fanId, contract.debtChanged, {
        ...{ change, isBlocked },
        ...{ amount: toUsd(asCents(cents)), owed: toUsd(asCents(owedCents)) },
      }),
  );
}

export function register({ ctx, bind }: Server): void {
  registerWalletClosing(ctx);
  const payeeOf = createPayees(ctx);

  bind(contract.transactionHistory, ({ actor, query }) => viewTransactions(ctx, actor, query));
  bind(contract.getReceipt, ({ actor, params }) => viewReceipt(ctx, actor, params.id));
  bind(contract.getWallet, ({ actor }) => viewWallet(ctx, actor));
  bind(contract.sendTip, ({ actor, params, body, operationId }) =>
    giveTip(ctx, payeeOf, actor, { ...body, creatorId: params.creatorId, operationId }),
  );
  tellBalances(ctx);
}
