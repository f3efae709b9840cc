import * as adminFees from '@stagedoor/contract/admin/fees.ts';
import * as adminSettingApprovals from '@stagedoor/contract/admin/setting-approvals.ts';
import * as priceLimits from '@stagedoor/contract/commerce/price-limits.ts';
import * as contract from '@stagedoor/contract/trust/policies.ts';
import type { ModuleHost } from '../../../platform/http/routing.ts';
import { loadPriceLimits } from '../../commerce/sales/index.ts';
import { registerConsentHandler } from '../../identity/accounts/index.ts';
import { agreeToPolicies, getPendingConsents, storeSignUpAgreements } from './agreements.ts';
import {
  getCompanyDetails,
  getCompanyDetailsView,
  listMissingDetails,
  updateCompanyDetails,
} from './company-details.ts';
import { getCreatorFeePage, saveCustomFee } from './creator-fees.ts';
import { getFeeChanges, getPlatformFees, updatePlatformFees } from './fees.ts';
import { notifyNewVersions } from './notify.ts';
import { getPolicyView, listPolicyViews } from './policies.ts';
import { updatePriceLimits } from './prices.ts';
import { registerPolicyPrivacy } from './privacy-hooks.ts';
import { applySettingDecision, presentSettingApprovals } from './setting-approvals.ts';
import { getPlatformTerms } from './terms.ts';

export async function register({ app, bind, ctx }: ModuleHost): Promise<void> {
  registerPolicyPrivacy(ctx);

  bind(contract.getPlatformTerms, () => getPlatformTerms(ctx.db));
  bind(contract.getPolicy, ({ params, query }) => getPolicyView(ctx, params.key, query.version));
  bind(contract.listPolicies, () => listPolicyViews(ctx));
  bind(contract.listPendingConsents, ({ actor }) => getPendingConsents(ctx, actor));
  bind(contract.agreeToPolicies, ({ actor, body }) => agreeToPolicies(ctx, actor, body.agreed));
  bind(contract.getCompanyDetails, () => getCompanyDetailsView(ctx));
  bind(contract.updateCompanyDetails, ({ actor, body }) => updateCompanyDetails(ctx, actor.userId, body));

  bind(adminFees.getPlatformFees, () => getPlatformFees(ctx.db));
  bind(adminFees.updatePlatformFees, ({ actor, body }) => updatePlatformFees(ctx, actor.userId, body));
  bind(priceLimits.getPriceLimits, () => loadPriceLimits(ctx.db));
  bind(priceLimits.updatePriceLimits, ({ actor, body }) => updatePriceLimits(ctx, actor.userId, body));
  bind(adminFees.listCreatorFees, ({ query }) => getCreatorFeePage(ctx, query));
  bind(adminFees.updateCreatorFee, ({ actor, params, body }) => saveCustomFee(ctx, actor.userId, params.id, body));
  bind(adminSettingApprovals.listSettingApprovals, () => presentSettingApprovals(ctx));
  bind(adminSettingApprovals.decideSettingApproval, ({ actor, params, body }) =>
    applySettingDecision(ctx, actor.userId, params.name, body),
  );
  bind(adminFees.listFeeChanges, ({ query }) => getFeeChanges(ctx, query));

  ctx.jobs.schedule('policies.notify', '* * * * *', async () => void (await notifyNewVersions(ctx)));

  registerConsentHandler(ctx, storeSignUpAgreements);

  app.addHook('onReady', async () => {
    if (!ctx.config.isProduction) return;
    const missing = listMissingDetails(await getCompanyDetails(ctx.db));
    if (missing.length > 0)
      ctx.log.warn(
        { missing },
        'company details are missing: public texts leave them out until an operator enters them',
      );
  });
}
