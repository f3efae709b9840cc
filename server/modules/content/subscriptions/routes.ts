import * as contract from '@stagedoor/contract/content/subscriptions.ts';
import type { ModuleHost } from '../../../platform/http/routing.ts';
import { registerViewerSubscription } from '../subscription-tiers/index.ts';
import { registerSubscriptionDeletionStep } from './account-deletion.ts';
import { registerSubscriptionExportPart } from './data-export.ts';
import { registerEventHandlers } from './handlers.ts';
import { getFanHistory } from './offer-history.ts';
import { remindFans } from './reminders.ts';
import { renewDueSubscriptions } from './renewals.ts';
import * as service from './service.ts';
import * as store from './store.ts';
import { subscribe } from './subscribe.ts';

export function register({ ctx, bind }: ModuleHost): void {
  registerSubscriptionExportPart(ctx);
  registerSubscriptionDeletionStep(ctx);
  registerViewerSubscription(ctx, async (db, fanId, creatorId) => {
    const [row, history] = await Promise.all([
      store.findCurrent(db, fanId, creatorId),
      getFanHistory(db, { fanId, creatorId, now: ctx.clock.now() }),
    ]);
    const subscription = row && {
      id: row.id,
      tierId: row.tier_id,
      paidUntil: row.paid_until?.toISOString() ?? null,
      isRenewing: row.is_renewing,
    };
    return { subscription: subscription ?? null, canTry: !history.hasSubscribed, history };
  });
  bind(contract.subscribe, ({ actor, body, operationId }) => subscribe(ctx, actor, body, operationId));
  bind(contract.listSubscriptions, ({ actor }) => service.listCurrentSubscriptions(ctx, actor));
  bind(contract.listEndedSubscriptions, ({ actor, query }) => service.listEndedSubscriptions(ctx, actor, query));
  bind(contract.cancelSubscription, ({ actor, params }) => service.cancelSubscription(ctx, actor, params.id));
  bind(contract.resumeSubscription, ({ actor, params }) => service.resumeSubscription(ctx, actor, params.id));
  bind(contract.paySubscription, ({ actor, params, operationId }) =>
    service.paySubscription(ctx, actor, params.id, operationId),
  );
  bind(contract.acceptPrice, ({ actor, params, body }) => service.acceptPrice(ctx, actor, params.id, body.price));
  bind(contract.refundSubscription, ({ actor, params, operationId }) =>
    service.refundSubscription(ctx, actor, params.id, operationId),
  );

  ctx.events.addBroadcastHandler(
    'subscription.changed',
    'subscriptions.emit',
    ({ fanId }) => `subscriptions:${fanId}`,
    ({ payload: { fanId, creatorId } }) => ctx.realtime.emitToUser(fanId, contract.subscriptionChanged, { creatorId }),
  );
  registerEventHandlers(ctx);
  ctx.jobs.schedule('subscriptions.remind', '*/10 * * * *', () => remindFans(ctx), 'renewals');
  ctx.jobs.schedule(
    'subscriptions.renew',
    '* * * * *',
    async (signal) => void (await renewDueSubscriptions(ctx, signal)),
    'renewals',
  );
}
