import * as contract from '@stagedoor/contract/finance/subscription-figures.ts';
import type { ModuleHost } from '../../../platform/http/routing.ts';
import { writeSubscribers } from './file.ts';
import { viewSubscribers } from './list.ts';
import { viewFigures } from './service.ts';

export function register({ ctx, bind }: ModuleHost): void {
  bind(contract.getSubscriptionFigures, ({ actor }) => viewFigures(ctx, actor.userId));
  bind(contract.listSubscribers, ({ actor, query }) => viewSubscribers(ctx, actor.userId, query));
  bind(contract.downloadSubscribers, ({ actor, query }) => writeSubscribers(ctx, actor.userId, query.filter));
}
