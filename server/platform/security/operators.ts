/**
 * Authorizes operators by the table in contract/admin/operator-rights.ts, with a second factor and, where required, a recent
 * step-up authentication.
 */

import { ADMIN_PATHS } from '@stagedoor/contract/admin/addresses.ts';
import { canOperatorCallRoute, findOperatorRight } from '@stagedoor/contract/admin/operator-rights.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { RouteSpec } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../context.ts';
import type { Actor } from './session.ts';

const NO_SECOND_FACTOR = 'Set up two-factor authentication first.';
const NOT_IN_ROLE = 'Your roles don’t allow this.';
const STEP_UP_REQUIRED = 'Confirm it’s you to continue.';

type Route = Pick<RouteSpec, 'auth' | 'method' | 'path'>;
type StepUpContext = Pick<Context, 'clock' | 'config'>;

/** When the step-up authentication of an operator expires. A log-in counts as one. */
export function getStepUpExpiry(actor: Actor, { config }: Pick<Context, 'config'>): Date {
  const stepUpAt = Math.max(actor.loggedInAt.getTime(), actor.stepUpAt?.getTime() ?? 0);
  return new Date(stepUpAt + config.operatorSessions.stepUpMs);
}

/** Throws FORBIDDEN with a link to the step-up page unless the operator authenticated recently. */
export function requireStepUp(actor: Actor, { clock, config }: StepUpContext): void {
  if (getStepUpExpiry(actor, { config }) > clock.now()) return;
  throw new AppError('FORBIDDEN', { message: STEP_UP_REQUIRED, href: ADMIN_PATHS.adminStepUp });
}

export function requireOperatorRight(route: Route): void {
  if (route.auth === 'operator' && !findOperatorRight(route))
    throw new Error(
      `${route.method} ${route.path} is for operators; add to OPERATOR_RIGHTS in contract/admin/operator-rights.ts: '${route.method} ${route.path}': to(…),`,
    );
}

export function hasOperatorRole(route: Route, actor: Actor | undefined): boolean {
  return route.auth !== 'operator' || actor?.type !== 'operator' || canOperatorCallRoute(actor.roles ?? [], route);
}

/** Throws FORBIDDEN without a second factor, without a matching role, or without a required step-up authentication. */
export function requireOperator(route: Route, actor: Actor, stepUpContext: StepUpContext): void {
  if (route.auth !== 'operator') return;
  if (!actor.hasSecondFactor) throw new AppError('FORBIDDEN', { message: NO_SECOND_FACTOR, href: PATHS.adminAccount });
  if (!hasOperatorRole(route, actor)) throw new AppError('FORBIDDEN', { message: NOT_IN_ROLE });
  if (findOperatorRight(route)?.needsStepUp) requireStepUp(actor, stepUpContext);
}
