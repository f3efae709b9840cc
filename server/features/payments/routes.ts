/** Binds the payments' routes, and mounts the processor's webhook and the sandbox. */
import * as contract from '@stagedoor/contract/payments.ts';
import type { Server } from '../../kernel/bind.ts';
import { depositOptionsOf, startDeposit, viewDeposit, viewDeposits } from './deposits.ts';
import './events.ts';
import { expireOrders, forgetUnreadable, processEvent, sweepEvents } from './process.ts';
import { reconcileYesterday } from './reconcile.ts';
import { registerSandbox } from './sandbox/index.ts';
import { registerWebhook } from './webhook.ts';

export async function register({ app, ctx, bind }: Server): Promise<void> {
  bind(contract.depositFunds, ({ actor, body, operationId }) => startDeposit(ctx, actor, body, operationId));
  bind(contract.depositOptions, () => depositOptionsOf(ctx));
  bind(contract.depositHistory, ({ actor, query }) => viewDeposits(ctx, actor, query));
  bind(contract.getDeposit, ({ actor, params }) => viewDeposit(ctx, actor, params.id));

  await registerWebhook(app, ctx);
  await registerSandbox({ app, ctx });
  ctx.events.do(
    'processor.received',
    'payments.process',
    { lane: 'money', subject: ({ eventId }) => `processor:${eventId}` },
    ({ payload }) => processEvent(ctx, payload.eventId),
  );
  ctx.jobs.schedule('payments.sweep', '* * * * *', () => sweepEvents(ctx));
  ctx.jobs.schedule('payments.expire', '7 * * * *', () => expireOrders(ctx));
  ctx.jobs.schedule('payments.forget', '23 3 * * *', () => forgetUnreadable(ctx));
  // Arizona's day ends at 07:00 UTC.
  ctx.jobs.schedule('payments.reconcile', '30 9 * * *', () => reconcileYesterday(ctx));
}
