import * as adminCompanyDetails from '@stagedoor/contract/admin/company-details.ts';
import * as contract from '@stagedoor/contract/trust/legal.ts';
import type { ModuleHost } from '../../../platform/http/routing.ts';
import { registerConsentHandler } from '../../identity/accounts/index.ts';
import { agreeToPolicies, getPendingConsents, storeSignUpAgreements } from './agreements.ts';
import {
  getCompanyDetails,
  getCompanyDetailsView,
  listMissingDetails,
  updateCompanyDetails,
} from './company-details.ts';
import { notifyNewVersions } from './notify.ts';
import { getPolicyView, listPolicyViews } from './policies.ts';
import { registerPolicyPrivacy } from './privacy-hooks.ts';
import { serveSecurityTxt } from './security-txt.ts';

export async function register({ app, bind, ctx }: ModuleHost): Promise<void> {
  registerPolicyPrivacy(ctx);
  serveSecurityTxt({ app, ctx });
  registerConsentHandler(ctx, (tx, userId, at) => storeSignUpAgreements(tx, ctx.config, userId, at));

  bind(contract.getPolicy, ({ params, query }) => getPolicyView(ctx, params.key, query.version));
  bind(contract.listPolicies, () => listPolicyViews(ctx));
  bind(contract.listPendingConsents, ({ actor }) => getPendingConsents(ctx, actor));
  bind(contract.agreeToPolicies, ({ actor, body }) => agreeToPolicies(ctx, actor, body.agreed));
  bind(adminCompanyDetails.getCompanyDetails, () => getCompanyDetailsView(ctx));
  bind(adminCompanyDetails.updateCompanyDetails, ({ actor, body }) => updateCompanyDetails(ctx, actor.userId, body));

  ctx.jobs.schedule('legal.notifyVersions', '* * * * *', async () => void (await notifyNewVersions(ctx)));

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
