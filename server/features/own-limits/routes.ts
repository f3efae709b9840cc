import * as contract from '@stagedoor/contract/own-limits.ts';
import type { Server } from '../../kernel/bind.ts';
import { clearCookies } from '../accounts/index.ts';
import { registerArchivePart } from '../archive/index.ts';
import * as service from './service.ts';

export function register({ ctx, bind }: Server): void {
  registerArchivePart(ctx, {
    name: 'limits',
    title: 'Limits you set yourself',
    lead: 'Your spending limits, and until when your spending is paused.',
    entries: async function* ({ db, clock }, { id, type }) {
      if (type !== 'customer') return;
      const { limits, pausedUntil } = await service.present(db, id, clock.now());
      for (const { period, limit, spent, raise } of limits) yield { each: period, limit, spent, raise };
      if (pausedUntil !== null) yield { breakFromSpendingUntil: pausedUntil };
    },
  });
  bind(contract.getOwnLimits, ({ actor }) => service.viewLimits(ctx, actor));
  bind(contract.setOwnLimit, ({ actor, params, body }) => service.setLimit(ctx, actor, params.period, body.limit));
  bind(contract.withdrawRaise, ({ actor, params }) => service.keepLimit(ctx, actor, params.period));
  bind(contract.beginSpendingBreak, ({ actor, body }) => service.takeSpendingBreak(ctx, actor, body.days));
  bind(contract.beginAccountBreak, async ({ actor, body, reply }) => {
    const answer = await service.takeAccountBreak(ctx, actor, body);
    clearCookies(ctx, reply);
    return answer;
  });
}
