import * as admin from '@stagedoor/contract/admin/subscriptions.ts';
import * as contract from '@stagedoor/contract/content/subscriptions.ts';
import type { ModuleHost } from '../../../platform/http/routing.ts';
import { registerApprovalHandler } from '../../identity/approvals/index.ts';
import { registerViewerSubscription } from '../subscription-tiers/index.ts';
import { registerSubscriptionDeletionStep } from './account-deletion.ts';
import { getOverview, viewSubscription, viewSubscriptions } from './admin.ts';
import { actOnSubscription, createSubscriptionApproval } from './admin-actions.ts';
import { orderCardSubscription, purgeCardOrders } from './card-order.ts';
import { registerCardPayments } from './card-payments.ts';
import { registerSubscriptionExportPart } from './data-export.ts';
import { isGiftPeriod } from './gift-periods.ts';
import { giveSubscription } from './gifts.ts';
import { registerEventHandlers } from './handlers.ts';
import { getFanHistory } from './offer-history.ts';
import { registerRenewalPauses } from './pauses.ts';
import { remindFans } from './reminders.ts';
import { renewDueSubscriptions } from './renewals.ts';
import * as service from './service.ts';
import * as store from './store.ts';
import { subscribe } from './subscribe.ts';

function registerAdmin({ ctx, bind }: ModuleHost): void {
  registerApprovalHandler(ctx, 'subscription', createSubscriptionApproval(ctx));
  bind(admin.getSubscriptionOverview, () => getOverview(ctx));
  bind(admin.listAdminSubscriptions, ({ query }) => viewSubscriptions(ctx, query));
  bind(admin.getAdminSubscription, ({ actor, params }) => viewSubscription(ctx, actor.userId, params.id));
  bind(admin.endAdminSubscription, ({ actor, params, body }) =>
    actOnSubscription(ctx, params.id, { number: null, operatorId: actor.userId, reason: body.reason }),
  );
  bind(admin.refundAdminPeriod, ({ actor, params, body: { number, reason } }) =>
    actOnSubscription(ctx, params.id, { number, operatorId: actor.userId, reason }),
  );
}

export function register(host: ModuleHost): void {
  const { ctx, bind } = host;
  registerAdmin(host);
  registerRenewalPauses(ctx);
  registerSubscriptionExportPart(ctx);
  registerSubscriptionDeletionStep(ctx);
  registerCardPayments(ctx);
  registerViewerSubscription(ctx, async (db, fanId, creatorId) => {
    const [row, canHaveTrial] = await Promise.all([
      store.findCurrent(db, fanId, creatorId),
      store.canHaveTrial(db, fanId, creatorId),
    ]);
    const subscription = row && {
      id: row.id,
      tierId: row.tier_id,
      paidUntil: row.paid_until?.toISOString() ?? null,
      isRenewing: row.is_renewing,
      isGift: isGiftPeriod(row),
    };
    const getHistory = () => getFanHistory(db, { fanId, creatorId, now: ctx.clock.now() });
    return { subscription: subscription ?? null, canHaveTrial, getHistory };
  });
  bind(contract.subscribe, ({ actor, body, operationId }) => subscribe(ctx, actor, body, operationId));
  bind(contract.subscribeByCard, ({ actor, body, operationId }) =>
    orderCardSubscription(ctx, actor, body, operationId),
  );
  bind(contract.giftSubscription, ({ actor, body, operationId }) => giveSubscription(ctx, actor, body, operationId));
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
  ctx.jobs.schedule('subscriptions.purgeCardOrders', '37 3 * * *', () => purgeCardOrders(ctx));
  ctx.jobs.schedule('subscriptions.remind', '*/10 * * * *', () => remindFans(ctx), 'renewals');
  ctx.jobs.schedule(
    'subscriptions.renew',
    '* * * * *',
    async (signal) => void (await renewDueSubscriptions(ctx, { signal, isThrottled: true })),
    'renewals',
  );
}
