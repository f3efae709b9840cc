import * as contract from '@stagedoor/contract/admin/system-status.ts';
import { purgeErrorStats } from '../../../platform/error-stats.ts';
import type { ModuleHost } from '../../../platform/http/routing.ts';
import { manifest } from './manifest.ts';
import { getSystemStatus, retryJobAsOperator } from './system-status.ts';

export const featureModule = {
  ...manifest,
  register: ({ bind, ctx }: ModuleHost): void => {
    bind(contract.getSystemStatus, ({ actor }) => getSystemStatus(ctx, actor));
    bind(contract.retryJob, ({ actor, params }) => retryJobAsOperator(ctx, actor, params.id));
    ctx.jobs.schedule('systemStatus.purgeExpired', '37 * * * *', () => purgeErrorStats(ctx.db, ctx.clock.now()));
  },
};
