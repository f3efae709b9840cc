import * as contract from '@stagedoor/contract/finance/wallet.ts';
import { asCents, toDepositBalance, toUsd } from '@stagedoor/contract/shared/money.ts';
import type { Context } from '../../../platform/context.ts';
import type { ModuleHost } from '../../../platform/http/routing.ts';
import { registerWalletDeletion } from './account-deletion.ts';
import { viewTransactionReceipt } from './receipts.ts';
import { viewTransactions, viewWallet } from './statement.ts';
import { createRecipientCache, createTip } from './tips.ts';

/** The ordering key, so that balances of one wallet arrive in order. */
const toWalletKey = ({ fanId }: { fanId: string }) => `wallet:${fanId}`;

type BalanceChange = { fanId: string; balanceCents: number; balanceLine?: number };

function registerBalanceEvents(ctx: Context): void {
  const emitBalance = ({ fanId, balanceCents, balanceLine = 0 }: BalanceChange, transactionId: string | null) =>
    ctx.realtime.emitToUser(fanId, contract.balanceChanged, {
      ...toDepositBalance({ balanceCents, balanceLine }),
      transactionId,
    });
  ctx.events.addBroadcastHandler('deposit.changed', 'wallet.balance', toWalletKey, ({ payload }) =>
    emitBalance(payload, payload.transactionId),
  );
  ctx.events.addBroadcastHandler('sale.made', 'wallet.balance', toWalletKey, ({ payload }) =>
    emitBalance(payload, payload.transactionId),
  );
  ctx.events.addBroadcastHandler('sale.refunded', 'wallet.balance', toWalletKey, ({ payload }) =>
    emitBalance(payload, payload.refundId),
  );
  ctx.events.addBroadcastHandler('hold.changed', 'wallet.balance', toWalletKey, ({ payload }) =>
    emitBalance(payload, payload.transactionId),
  );
  ctx.events.addBroadcastHandler('hold.expired', 'wallet.balance', toWalletKey, ({ payload }) => {
    const { fanId, amountCents, purpose, transactionId } = payload;
    emitBalance(payload, transactionId);
    ctx.realtime.emitToUser(fanId, contract.holdExpired, { amount: toUsd(asCents(amountCents)), purpose });
  });
  ctx.events.addBroadcastHandler(
    'debt.changed',
    'wallet.debt',
    toWalletKey,
    ({ payload: { fanId, change, cents, owedCents, isBlocked } }) =>
      ctx.realtime.emitToUser(fanId, contract.debtChanged, {
        ...{ change, isBlocked },
        ...{ amount: toUsd(asCents(cents)), owed: toUsd(asCents(owedCents)) },
      }),
  );
}

export function register({ ctx, bind }: ModuleHost): void {
  registerWalletDeletion(ctx);
  const findRecipient = createRecipientCache(ctx);

  bind(contract.getTransactionHistory, ({ actor, query }) => viewTransactions(ctx, actor, query));
  bind(contract.getReceipt, ({ actor, params }) => viewTransactionReceipt(ctx, actor, params.id));
  bind(contract.getWallet, ({ actor }) => viewWallet(ctx, actor));
  bind(contract.sendTip, ({ actor, params, body, operationId }) =>
    createTip(ctx, findRecipient, actor, { ...body, creatorId: params.creatorId, operationId }),
  );
  registerBalanceEvents(ctx);
}
