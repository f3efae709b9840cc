import * as adminFees from '@stagedoor/contract/admin/fees.ts';
import * as adminPriceLimits from '@stagedoor/contract/admin/price-limits.ts';
import * as contract from '@stagedoor/contract/finance/pricing.ts';
import type { ModuleHost } from '../../../platform/http/routing.ts';
import { loadPriceLimits } from '../../commerce/sales/index.ts';
import { registerGuardedSetting } from '../../identity/approvals/index.ts';
import { getCreatorFeePage, saveCustomFee } from './creator-fees.ts';
import { FEES, getFeeChanges, getPlatformFees, updatePlatformFees } from './fees.ts';
import { getPlatformTerms } from './platform-terms.ts';
import { updatePriceLimits } from './price-limits.ts';

export function register({ bind, ctx }: ModuleHost): void {
  registerGuardedSetting(ctx, 'clearingDays', FEES);
  registerGuardedSetting(ctx, 'dailySpend', FEES);
  bind(contract.getPlatformTerms, () => getPlatformTerms(ctx.db, ctx.config));

  bind(adminFees.getPlatformFees, () => getPlatformFees(ctx.db));
  bind(adminFees.updatePlatformFees, ({ actor, body }) => updatePlatformFees(ctx, actor.userId, body));
  bind(adminFees.listFeeChanges, ({ query }) => getFeeChanges(ctx, query));
  bind(adminFees.listCreatorFees, ({ query }) => getCreatorFeePage(ctx, query));
  bind(adminFees.updateCreatorFee, ({ actor, params, body }) => saveCustomFee(ctx, actor.userId, params.id, body));
  bind(adminPriceLimits.getPriceLimits, () => loadPriceLimits(ctx.db));
  bind(adminPriceLimits.updatePriceLimits, ({ actor, body }) => updatePriceLimits(ctx, actor.userId, body));
}
