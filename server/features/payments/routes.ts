import * as debts from '@stagedoor/contract/debts.ts';
import * as books from '@stagedoor/contract/differences.ts';
import * as contract from '@stagedoor/contract/payments.ts';
import * as desk from '@stagedoor/contract/processor-desk.ts';
import * as settlements from '@stagedoor/contract/settlements.ts';
import type { Server } from '../../kernel/bind.ts';
import { registerMoneyAct } from '../operators/index.ts';
import { defineConfirmation } from './confirm.ts';
import { debtMail, decideDebt, viewDebtors, writeOffByTwo } from './debts.ts';
import { depositOptionsOf, startDeposit, viewDeposit, viewDeposits } from './deposits.ts';
import { alarmOfWaiting, decideEvent, registerDesk, viewEvents, wonByTwo } from './desk.ts';
import { explainDifference, viewComparisons, viewDifferences } from './differences.ts';
import './events.ts';
import { expireOrders, forgetUnreadable, processEvent, sweepEvents } from './process.ts';
import { reconcile } from './reconcile.ts';
import { registerSandbox } from './sandbox/index.ts';
import { bookSettlement, takeSettlementBack, viewSettlements } from './settlements.ts';
import { registerWebhook } from './webhook.ts';

export async function register({ app, ctx, bind, metrics }: Server): Promise<void> {
  bind(contract.depositFunds, ({ actor, body, operationId }) => startDeposit(ctx, actor, body, operationId));
  bind(contract.depositOptions, () => depositOptionsOf(ctx));
  bind(contract.depositHistory, ({ actor, query }) => viewDeposits(ctx, actor, query));
  bind(contract.getDeposit, ({ actor, params }) => viewDeposit(ctx, actor, params.id));

  bind(desk.listProcessorEvents, ({ query }) => viewEvents(ctx, query));
  bind(desk.decideProcessorEvent, ({ actor, params, body }) => decideEvent(ctx, actor.userId, params.id, body));

  bind(debts.listDebtors, ({ query }) => viewDebtors(ctx, query));
  bind(debts.decideDebt, ({ actor, params, body }) => decideDebt(ctx, actor.userId, params.id, body));
  bind(books.listDifferences, ({ query }) => viewDifferences(ctx, query));
  bind(books.explainDifference, ({ actor, params, body }) =>
    explainDifference(ctx, actor.userId, params.id, body.ground),
  );
  bind(books.listComparisons, ({ query }) => viewComparisons(ctx, query));

  bind(settlements.listSettlements, ({ query }) => viewSettlements(ctx, query));
  bind(settlements.bookSettlement, ({ actor, body }) => bookSettlement(ctx, actor.userId, body));
  bind(settlements.takeSettlementBack, ({ actor, params, body }) =>
    takeSettlementBack(ctx, actor.userId, params.id, body.ground),
  );

  registerDesk(ctx, metrics);
  registerMoneyAct(ctx, 'won', wonByTwo(ctx));
  registerMoneyAct(ctx, 'writeOff', writeOffByTwo(ctx));
  defineConfirmation(ctx);
  await registerWebhook(app, ctx);
  await registerSandbox({ app, ctx });
  ctx.events.do(
    'processor.received',
    'payments.process',
    { lane: 'money', subject: ({ eventId }) => `processor:${eventId}` },
    ({ payload }) => processEvent(ctx, payload.eventId),
  );
  ctx.events.do(
    'debt.changed',
    'payments.debtMail',
    { lane: 'money', subject: ({ fanId }) => `debt:${fanId}` },
    ({ payload }) => debtMail(ctx, payload),
  );
  ctx.jobs.schedule('payments.sweep', '* * * * *', () => sweepEvents(ctx));
  ctx.jobs.schedule('payments.alarm', '11 * * * *', () => alarmOfWaiting(ctx));
  ctx.jobs.schedule('payments.expire', '7 * * * *', () => expireOrders(ctx));
  ctx.jobs.schedule('payments.forget', '23 3 * * *', () => forgetUnreadable(ctx));
  // One comparison per day. The hourly schedule only retries failed or missed ones.
  ctx.jobs.schedule('payments.reconcile', '30 * * * *', () => reconcile(ctx), 'comparing');
}
