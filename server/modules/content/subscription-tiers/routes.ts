import * as adminSettings from '@stagedoor/contract/admin/subscription-settings.ts';
import * as offerContract from '@stagedoor/contract/content/subscription-offers.ts';
import * as contract from '@stagedoor/contract/content/subscription-tiers.ts';
import { getCallerNetwork } from '../../../platform/http/http.ts';
import type { ModuleHost } from '../../../platform/http/routing.ts';
import { emitToWatchers } from '../../identity/presence/index.ts';
import { registerTierDeletionStep } from './account-deletion.ts';
import { registerTierExportPart } from './data-export.ts';
import './events.ts';
import * as offers from './offers.ts';
import * as service from './service.ts';
import { loadSubscriptionSettings, saveSubscriptionSettings } from './settings.ts';

export function register({ ctx, bind }: ModuleHost): void {
  registerTierExportPart(ctx);
  registerTierDeletionStep(ctx);
  bind(contract.listOwnTiers, ({ actor }) => service.listOwnTiers(ctx, actor.userId));
  bind(contract.createTier, ({ actor, body, operationId }) => service.createTier(ctx, actor, body, operationId));
  bind(contract.updateTier, ({ actor, params, body }) => service.updateTier(ctx, actor, params.id, body));
  bind(contract.deleteTier, ({ actor, params }) => service.deleteTier(ctx, actor, params.id));
  bind(contract.orderTiers, ({ actor, body }) => service.orderTiers(ctx, actor, body.ids));
  bind(contract.listCreatorTiers, ({ actor, params, query, request }) =>
    service.viewCreatorTiers(ctx, actor, params.creatorId, {
      code: query.offer,
      reader: actor ? { userId: actor.userId } : { network: getCallerNetwork(request) },
    }),
  );
  bind(offerContract.listOwnOffers, ({ actor }) => offers.listOwnOffers(ctx, actor.userId));
  bind(offerContract.createOffer, ({ actor, body, operationId }) => offers.createOffer(ctx, actor, body, operationId));
  bind(offerContract.closeOffer, ({ actor, params }) => offers.closeOffer(ctx, actor, params.id));

  bind(adminSettings.getSubscriptionSettings, () => loadSubscriptionSettings(ctx.db));
  bind(adminSettings.updateSubscriptionSettings, ({ actor, body }) =>
    saveSubscriptionSettings(ctx, actor.userId, body),
  );

  ctx.events.addBroadcastHandler(
    'subscriptionTiers.changed',
    'subscriptionTiers.emit',
    ({ creatorId }) => `subscription-tiers:${creatorId}`,
    ({ payload: { creatorId } }) => emitToWatchers(ctx, creatorId, contract.tiersChanged, { creatorId }),
  );
  ctx.events.addJobHandler(
    'verification.changed',
    'subscriptionTiers.relist',
    { queue: 'quick', subject: ({ creatorId }) => `subscription-tiers:${creatorId}` },
    ({ payload: { creatorId } }) => service.refreshListedTerms(ctx, creatorId),
  );
}
