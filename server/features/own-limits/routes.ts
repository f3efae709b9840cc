/** Binds the routes of a fan's own limits and breaks. */
import * as contract from '@stagedoor/contract/own-limits.ts';
import type { Server } from '../../kernel/bind.ts';
import { clearCookies } from '../accounts/index.ts';
import * as service from './service.ts';

export function register({ ctx, bind }: Server): void {
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
