import * as adminReconciliation from '@stagedoor/contract/admin/reconciliation.ts';
import * as adminSettlements from '@stagedoor/contract/admin/settlements.ts';
import type { ModuleHost } from '../../../platform/http/routing.ts';
import { explainDifference, viewDifferences, viewReconciliationRuns } from './differences.ts';
import { reconcile } from './reconcile.ts';
import { bookSettlement, reverseSettlement, viewSettlements } from './settlements.ts';

export function register({ ctx, bind }: ModuleHost): void {
  bind(adminReconciliation.listDifferences, ({ query }) => viewDifferences(ctx, query));
  bind(adminReconciliation.explainDifference, ({ actor, params, body }) =>
    explainDifference(ctx, actor.userId, params.id, body.reason),
  );
  bind(adminReconciliation.listReconciliationRuns, ({ query }) => viewReconciliationRuns(ctx, query));

  bind(adminSettlements.listSettlements, ({ query }) => viewSettlements(ctx, query));
  bind(adminSettlements.bookSettlement, ({ actor, body }) => bookSettlement(ctx, actor.userId, body));
  bind(adminSettlements.reverseSettlement, ({ actor, params, body }) =>
    reverseSettlement(ctx, actor.userId, params.id, body.reason),
  );

  // One comparison per day. The hourly schedule only retries failed or missed ones.
  ctx.jobs.schedule('reconciliation.run', '30 * * * *', () => reconcile(ctx), 'comparing');
}
