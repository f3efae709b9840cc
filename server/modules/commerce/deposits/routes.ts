import * as adminProcessorWebhooks from '@stagedoor/contract/admin/processor-webhooks.ts';
import * as contract from '@stagedoor/contract/commerce/deposits.ts';
import type { ModuleHost } from '../../../platform/http/routing.ts';
import { registerApprovalHandler } from '../../identity/approvals/index.ts';
import { registerWebhookEndpoint } from '../ccbill/index.ts';
import './events.ts';
import { registerCancellation, viewOverdueCancellations } from './recurring/cancel.ts';
import { registerRenewalLookup } from './recurring/renewal-lookup.ts';
import { expireOrders, presentDepositOptions, startDeposit, viewDeposit, viewDeposits } from './service.ts';
import { createWonApproval, decideWebhook, logOverdueWebhooks, registerAdmin, viewWebhooks } from './webhooks/admin.ts';
import { defineConfirmation } from './webhooks/confirm.ts';
import { processWebhook, purgeUnreadable, sweepWebhooks } from './webhooks/process.ts';
import { receiveWebhook } from './webhooks/receive.ts';

export async function register({ app, ctx, bind, metrics }: ModuleHost): Promise<void> {
  bind(contract.depositFunds, ({ actor, body, operationId }) => startDeposit(ctx, actor, body, operationId));
  bind(contract.getDepositOptions, () => presentDepositOptions(ctx));
  bind(contract.getDepositHistory, ({ actor, query }) => viewDeposits(ctx, actor, query));
  bind(contract.getDeposit, ({ actor, params }) => viewDeposit(ctx, actor, params.id));

  bind(adminProcessorWebhooks.listProcessorWebhooks, ({ query }) => viewWebhooks(ctx, query));
  bind(adminProcessorWebhooks.listCardCancellations, () => viewOverdueCancellations(ctx));
  bind(adminProcessorWebhooks.decideProcessorWebhook, ({ actor, params, body }) =>
    decideWebhook(ctx, actor.userId, params.id, body),
  );

  registerAdmin(ctx, metrics);
  registerApprovalHandler(ctx, 'won', createWonApproval(ctx));
  defineConfirmation(ctx);
  registerCancellation(ctx);
  registerRenewalLookup(ctx);
  await registerWebhookEndpoint({ app, ctx }, (webhook, sender) => receiveWebhook(ctx, webhook, sender));
  ctx.events.addJobHandler(
    'processor.received',
    'deposits.process',
    { queue: 'money', subject: ({ webhookId }) => `processor:${webhookId}` },
    ({ payload }) => processWebhook(ctx, payload.webhookId),
  );
  ctx.jobs.schedule('deposits.sweep', '* * * * *', () => sweepWebhooks(ctx));
  ctx.jobs.schedule('deposits.logOverdueWebhooks', '11 * * * *', () => logOverdueWebhooks(ctx));
  ctx.jobs.schedule('deposits.expire', '7 * * * *', () => expireOrders(ctx));
  ctx.jobs.schedule('deposits.purgeUnreadable', '23 3 * * *', () => purgeUnreadable(ctx));
}
