import * as adminDebts from '@stagedoor/contract/admin/debts.ts';
import * as adminProcessorWebhooks from '@stagedoor/contract/admin/processor-webhooks.ts';
import * as adminReconciliation from '@stagedoor/contract/admin/reconciliation.ts';
import * as adminSettlements from '@stagedoor/contract/admin/settlements.ts';
import * as contract from '@stagedoor/contract/commerce/payments.ts';
import type { ModuleHost } from '../../../platform/http/routing.ts';
import { registerApprovalHandler } from '../../identity/staff/index.ts';
import { createWonApproval, decideWebhook, logOverdueWebhooks, registerAdmin, viewWebhooks } from './admin.ts';
import { defineConfirmation } from './confirm.ts';
import { createWriteOffApproval, decideDebt, mailDebtChange, viewDebtors } from './debts.ts';
import { presentDepositOptions, startDeposit, viewDeposit, viewDeposits } from './deposits.ts';
import { explainDifference, viewDifferences, viewReconciliationRuns } from './differences.ts';
import './events.ts';
import { expireOrders, processWebhook, purgeUnreadable, sweepWebhooks } from './process.ts';
import { reconcile } from './reconcile.ts';
import { registerSandbox } from './sandbox/index.ts';
import { bookSettlement, reverseSettlement, viewSettlements } from './settlements.ts';
import { registerWebhook } from './webhook.ts';

export async function register({ app, ctx, bind, metrics }: ModuleHost): Promise<void> {
  bind(contract.depositFunds, ({ actor, body, operationId }) => startDeposit(ctx, actor, body, operationId));
  bind(contract.getDepositOptions, () => presentDepositOptions(ctx));
  bind(contract.getDepositHistory, ({ actor, query }) => viewDeposits(ctx, actor, query));
  bind(contract.getDeposit, ({ actor, params }) => viewDeposit(ctx, actor, params.id));

  bind(adminProcessorWebhooks.listProcessorWebhooks, ({ query }) => viewWebhooks(ctx, query));
  bind(adminProcessorWebhooks.decideProcessorWebhook, ({ actor, params, body }) =>
    decideWebhook(ctx, actor.userId, params.id, body),
  );

  bind(adminDebts.listDebtors, ({ query }) => viewDebtors(ctx, query));
  bind(adminDebts.decideDebt, ({ actor, params, body }) => decideDebt(ctx, actor.userId, params.id, body));
  bind(adminReconciliation.listDifferences, ({ query }) => viewDifferences(ctx, query));
  bind(adminReconciliation.explainDifference, ({ actor, params, body }) =>
    explainDifference(ctx, actor.userId, params.id, body.reason),
  );
  bind(adminReconciliation.listReconciliationRuns, ({ query }) => viewReconciliationRuns(ctx, query));

  bind(adminSettlements.listSettlements, ({ query }) => viewSettlements(ctx, query));
  bind(adminSettlements.bookSettlement, ({ actor, body }) => bookSettlement(ctx, actor.userId, body));
  bind(adminSettlements.reverseSettlement, ({ actor, params, body }) =>
    reverseSettlement(ctx, actor.userId, params.id, body.reason),
  );

  registerAdmin(ctx, metrics);
  registerApprovalHandler(ctx, 'won', createWonApproval(ctx));
  registerApprovalHandler(ctx, 'writeOff', createWriteOffApproval(ctx));
  defineConfirmation(ctx);
  await registerWebhook(app, ctx);
  await registerSandbox({ app, ctx });
  ctx.events.addJobHandler(
    'processor.received',
    'payments.process',
    { queue: 'money', subject: ({ webhookId }) => `processor:${webhookId}` },
    ({ payload }) => processWebhook(ctx, payload.webhookId),
  );
  ctx.events.addJobHandler(
    'debt.changed',
    'payments.mailDebtChange',
    { queue: 'money', subject: ({ fanId }) => `debt:${fanId}` },
    ({ payload }) => mailDebtChange(ctx, payload),
  );
  ctx.jobs.schedule('payments.sweep', '* * * * *', () => sweepWebhooks(ctx));
  ctx.jobs.schedule('payments.alarm', '11 * * * *', () => logOverdueWebhooks(ctx));
  ctx.jobs.schedule('payments.expire', '7 * * * *', () => expireOrders(ctx));
  ctx.jobs.schedule('payments.purgeUnreadable', '23 3 * * *', () => purgeUnreadable(ctx));
  // One comparison per day. The hourly schedule only retries failed or missed ones.
  ctx.jobs.schedule('payments.reconcile', '30 * * * *', () => reconcile(ctx), 'comparing');
}
