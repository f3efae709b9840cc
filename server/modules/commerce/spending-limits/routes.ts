import * as contract from '@stagedoor/contract/commerce/spending-limits.ts';
import type { ModuleHost } from '../../../platform/http/routing.ts';
import { clearCookies } from '../../identity/accounts/index.ts';
import { registerExportPart } from '../../identity/data-export/index.ts';
import * as service from './service.ts';
import * as texts from './texts.ts';

export function register({ ctx, bind }: ModuleHost): void {
  registerExportPart(ctx, {
    name: 'limits',
    title: texts.limitsExportTitle,
    description: texts.limitsExportHint,
    entries: async function* ({ db, clock }, { id, type }) {
      if (type !== 'customer') return;
      const { limits, breakUntil } = await service.presentLimits(db, id, clock.now());
      for (const { period, limit, spent, increase } of limits) yield { each: period, limit, spent, increase };
      if (breakUntil !== null) yield { breakFromSpendingUntil: breakUntil };
    },
  });
  bind(contract.getSpendingLimits, ({ actor }) => service.getSpendingLimits(ctx, actor));
  bind(contract.updateSpendingLimit, ({ actor, params, body }) =>
    service.setSpendingLimit(ctx, actor, params.period, body.limit),
  );
  bind(contract.cancelLimitIncrease, ({ actor, params }) => service.cancelIncrease(ctx, actor, params.period));
  bind(contract.startSpendingBreak, ({ actor, body }) => service.requestSpendingBreak(ctx, actor, body.days));
  bind(contract.startAccountBreak, async ({ actor, body, reply }) => {
    const response = await service.requestAccountBreak(ctx, actor, body);
    clearCookies(ctx, reply);
    return response;
  });
}
