/** Entitlements: whether something is open for somebody, and by what right. Above sales and media; posts and chat ask it. */
import type { Server } from '../../kernel/bind.ts';
import { forgetSights } from '../media/index.ts';
import './grants.ts';
import { manifest } from './manifest.ts';

export { type Grant, grantAccess, revokeAccess } from './grants.ts';
export { type Entitlement, isFree, joinEntitlement, rightToNew } from './right.ts';

/** What was lost is lost at once, for the bytes too. */
function register({ ctx }: Server): void {
  const forget = () => forgetSights(ctx);
  ctx.events.everywhere('entitlement.revoked', 'entitlements.forgetSights', forget, forget);
  ctx.events.everywhere('sale.refunded', 'entitlements.forgetSights', forget, forget);
}

export const room = { ...manifest, register };
