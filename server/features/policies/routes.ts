import * as fees from '@stagedoor/contract/admin-fees.ts';
import * as wanted from '@stagedoor/contract/admin-setting-approvals.ts';
import * as contract from '@stagedoor/contract/policies.ts';
import * as prices from '@stagedoor/contract/price-limits.ts';
import type { ModuleHost } from '../../kernel/routing.ts';
import { registerConsentHandler } from '../accounts/index.ts';
import { loadPriceLimits } from '../sales/index.ts';
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

  bind(fees.getPlatformFees, () => getPlatformFees(ctx.db));
  bind(fees.updatePlatformFees, ({ actor, body }) => updatePlatformFees(ctx, actor.userId, body));
  bind(prices.getPriceLimits, () => loadPriceLimits(ctx.db));
  bind(prices.updatePriceLimits, ({ actor, body }) => updatePriceLimits(ctx, actor.userId, body));
  bind(fees.listCreatorFees, ({ query }) => getCreatorFeePage(ctx, query));
  bind(fees.updateCreatorFee, ({ actor, params, body }) => saveCustomFee(ctx, actor.userId, params.id, body));
  bind(wanted.listSettingApprovals, () => presentSettingApprovals(ctx));
  bind(wanted.decideSettingApproval, ({ actor, params, body }) =>
    applySettingDecision(ctx, actor.userId, params.name, body),
  );
  bind(fees.listFeeChanges, ({ query }) => getFeeChanges(ctx, query));

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
