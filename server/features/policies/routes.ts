import * as fees from '@stagedoor/contract/fees-desk.ts';
import * as contract from '@stagedoor/contract/policies.ts';
import * as prices from '@stagedoor/contract/price-limits.ts';
import * as wanted from '@stagedoor/contract/wanted-settings.ts';
import type { Server } from '../../kernel/bind.ts';
import { onConsent } from '../accounts/index.ts';
import { priceLimits } from '../sales/index.ts';
import { agree, agreeAtSignUp, viewOpen } from './agreements.ts';
import { setOwnFee, viewCreatorFees } from './creator-fees.ts';
import { factsOf, missingOf, setFacts, viewFacts } from './facts.ts';
import { feesOf, setFees, viewFeeChanges } from './fees.ts';
import { registerOwn } from './own.ts';
import { viewPolicies, viewPolicy } from './policies.ts';
import { setPrices } from './prices.ts';
import { tellOfVersions } from './tell.ts';
import { houseTerms } from './terms.ts';
import { decideSetting, viewWanted } from './wanted.ts';

export async function register({ app, bind, ctx }: Server): Promise<void> {
  registerOwn(ctx);

  bind(contract.houseTerms, () => houseTerms(ctx.db));
  bind(contract.readPolicy, ({ params, query }) => viewPolicy(ctx, params.key, query.version));
  bind(contract.listPolicies, () => viewPolicies(ctx));
  bind(contract.openAgreements, ({ actor }) => viewOpen(ctx, actor));
  bind(contract.agreeToPolicies, ({ actor, body }) => agree(ctx, actor, body.agreed));
  bind(contract.readOperatorFacts, () => viewFacts(ctx));
  bind(contract.setOperatorFacts, ({ actor, body }) => setFacts(ctx, actor.userId, body));

  bind(fees.readHouseFees, () => feesOf(ctx.db));
  bind(fees.setHouseFees, ({ actor, body }) => setFees(ctx, actor.userId, body));
  bind(prices.readPriceLimits, () => priceLimits(ctx.db));
  bind(prices.setPriceLimits, ({ actor, body }) => setPrices(ctx, actor.userId, body));
  bind(fees.listCreatorFees, ({ query }) => viewCreatorFees(ctx, query));
  bind(fees.setCreatorFee, ({ actor, params, body }) => setOwnFee(ctx, actor.userId, params.id, body));
  bind(wanted.listWantedSettings, () => viewWanted(ctx));
  bind(wanted.decideWantedSetting, ({ actor, params, body }) => decideSetting(ctx, actor.userId, params.name, body));
  bind(fees.listFeeChanges, ({ query }) => viewFeeChanges(ctx, query));

  ctx.jobs.schedule('policies.tell', '* * * * *', async () => void (await tellOfVersions(ctx)));

  onConsent(ctx, agreeAtSignUp);

  app.addHook('onReady', async () => {
    if (!ctx.config.isProduction) return;
    const missing = missingOf(await factsOf(ctx.db));
    if (missing.length > 0)
      ctx.log.warn(
        { missing },
        'who runs this house is not said: public texts leave it out until an operator fills it in',
      );
  });
}
