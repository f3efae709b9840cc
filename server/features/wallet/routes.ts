/** Binds the contract's wallet routes to their verbs, and mounts the processor's webhook and the sandbox. */
import * as contract from '@stagedoor/contract/wallet.ts';
import type { Server } from '../../kernel/bind.ts';
import { depositOptionsOf, startDeposit, viewDeposit, viewDeposits } from './deposits.ts';
import { viewChart, viewCreatorBalance, viewCreatorStats, viewEarnings } from './earnings.ts';
import { viewFees } from './fees.ts';
import { expireOrders, forgetUnreadable, sweepEvents } from './process.ts';
import { registerReactions } from './reactions.ts';
import { viewReceipt } from './receipts.ts';
import { reconcileYesterday } from './reconcile.ts';
import { registerSandbox } from './sandbox/index.ts';
import { viewTransactions, viewWallet } from './statement.ts';
import { createPayees, giveTip } from './tips.ts';
import { registerWebhook } from './webhook.ts';

export async function register({ app, ctx, bind }: Server): Promise<void> {
  const isPayee = createPayees(ctx);

  bind(contract.depositFunds, ({ actor, body, operationId }) => startDeposit(ctx, actor, body, operationId));
  bind(contract.depositOptions, () => depositOptionsOf(ctx));
  bind(contract.depositHistory, ({ actor, query }) => viewDeposits(ctx, actor, query));
  bind(contract.getDeposit, ({ actor, params }) => viewDeposit(ctx, actor, params.id));
  bind(contract.transactionHistory, ({ actor, query }) => viewTransactions(ctx, actor, query));
  bind(contract.getReceipt, ({ actor, params }) => viewReceipt(ctx, actor, params.id));
  bind(contract.getWallet, ({ actor }) => viewWallet(ctx, actor));
  bind(contract.sendTip, ({ actor, params, body, operationId }) =>
    giveTip(ctx, isPayee, actor, { ...body, creatorId: params.creatorId, operationId }),
  );
  bind(contract.creatorStats, ({ actor }) => viewCreatorStats(ctx, actor));
  bind(contract.creatorBalance, ({ actor }) => viewCreatorBalance(ctx, actor));
  bind(contract.listEarnings, ({ actor, query }) => viewEarnings(ctx, actor, query));
  bind(contract.creatorFees, ({ actor }) => viewFees(ctx, actor));
  bind(contract.earningsChart, ({ actor, query }) => viewChart(ctx, actor, query));

  await registerWebhook(app, ctx);
  await registerSandbox({ app, ctx });
  registerReactions(ctx);
  ctx.jobs.schedule('wallet.sweep', '* * * * *', () => sweepEvents(ctx));
  ctx.jobs.schedule('wallet.expire', '7 * * * *', () => expireOrders(ctx));
  ctx.jobs.schedule('wallet.forget', '23 3 * * *', () => forgetUnreadable(ctx));
  // Arizona's day ends at 07:00 UTC.
  ctx.jobs.schedule('wallet.reconcile', '30 9 * * *', () => reconcileYesterday(ctx));
}
