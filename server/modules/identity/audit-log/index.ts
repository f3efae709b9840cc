/** Modules log each action in its own transaction with {@link logAction}. */

import * as contract from '@stagedoor/contract/admin/audit-log.ts';
import type { ModuleHost } from '../../../platform/http/routing.ts';
import { checkAuditChain, createAuditExport, getAuditPage, loadAuditFilters } from './log.ts';
import { manifest } from './manifest.ts';

export {
  countActionsSince,
  findLatestActionAt,
  findOperatorActionAt,
  listLatestActionTimes,
} from './latest-actions.ts';
export { type AuditAction, getAuditPage, logAction } from './log.ts';

export const featureModule = {
  ...manifest,
  register: ({ bind, ctx }: ModuleHost): void => {
    bind(contract.listAuditEntries, ({ query }) => getAuditPage(ctx, query));
    bind(contract.getAuditChain, () => checkAuditChain(ctx));
    bind(contract.getAuditFilters, () => loadAuditFilters(ctx));
    bind(contract.exportAuditLog, ({ actor, query }) => createAuditExport(ctx, actor.userId, query));
  },
};
