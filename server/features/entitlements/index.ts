/**
 * Entitlements: what a viewer has access to, and by which right. Depends on sales and media, and posts and chat use it.
 */
import type { Server } from '../../kernel/bind.ts';
import { forgetSights } from '../media/index.ts';
import './grants.ts';
import { manifest } from './manifest.ts';

export { type Grant, grantAccess, revokeAccess } from './grants.ts';
export { type Entitlement, isFree, joinEntitlement, rightToNew } from './right.ts';

/** Clears the access cache of files, so that revoked access ends immediately. */
function register({ ctx }: Server): void {
  const forget = () => forgetSights(ctx);
  ctx.events.everywhere('entitlement.revoked', 'entitlements.forgetSights', forget, forget);
  ctx.events.everywhere('sale.refunded', 'entitlements.forgetSights', forget, forget);
}

export const room = { ...manifest, register };
