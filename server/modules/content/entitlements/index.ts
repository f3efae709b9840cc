/**
 * Entitlements: what a viewer has access to, and by which right. Depends on sales and media, and posts and chat use it.
 */
import type { ModuleHost } from '../../../platform/http/routing.ts';
import { invalidateMediaAccess } from '../media/index.ts';
import './grants.ts';
import { manifest } from './manifest.ts';

export { type AccessGrant, copyGrants, grantAccess, revokeAccess } from './grants.ts';
export { type Entitlement, getInitialEntitlement, isFree, joinEntitlement } from './right.ts';

/** Clears the access cache of files, so that revoked access ends immediately. */
function register({ ctx }: ModuleHost): void {
  const clearAccessCache = () => invalidateMediaAccess(ctx);
  ctx.events.addLocalHandler(
    'entitlement.revoked',
    'entitlements.clearAccessCache',
    clearAccessCache,
    clearAccessCache,
  );
  ctx.events.addLocalHandler('sale.refunded', 'entitlements.clearAccessCache', clearAccessCache, clearAccessCache);
}

export const featureModule = { ...manifest, register };
