/**
 * Authorizes operators by the table in contract/operator-rights.ts, with a second factor and, where required, a recent
 * step-up authentication.
 */
import { PATHS } from '@stagedoor/contract/addresses.ts';
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { RouteSpec } from '@stagedoor/contract/atoms/route.ts';
import { DESK_PATHS } from '@stagedoor/contract/desk-addresses.ts';
import { operatorMay, operatorRightOf } from '@stagedoor/contract/operator-rights.ts';
import type { Context } from './context.ts';
import type { Actor } from './session.ts';

const NO_SECOND_FACTOR = 'Set up two-factor authentication first.';
const NOT_IN_ROLE = 'Your roles don’t allow this.';
const NOT_PROVEN = 'Confirm it’s you to continue.';

type Route = Pick<RouteSpec, 'auth' | 'method' | 'path'>;
type Measure = Pick<Context, 'clock' | 'config'>;

/** When the step-up authentication of an operator expires. A log-in counts as one. */
export function provenUntil(actor: Actor, { config }: Pick<Context, 'config'>): Date {
  const provenAt = Math.max(actor.loggedInAt.getTime(), actor.provenAt?.getTime() ?? 0);
  return new Date(provenAt + config.operatorSessions.proofMs);
}

/** Throws FORBIDDEN with a link to the step-up page unless the operator authenticated recently. */
export function requireProof(actor: Actor, { clock, config }: Measure): void {
  if (provenUntil(actor, { config }) > clock.now()) return;
  throw new AppError('FORBIDDEN', { message: NOT_PROVEN, href: DESK_PATHS.adminProve });
}

export function requireEntry(route: Route): void {
  if (route.auth === 'operator' && !operatorRightOf(route))
    throw new Error(
      `${route.method} ${route.path} is for operators; add to OPERATOR_RIGHTS in contract/operator-rights.ts: '${route.method} ${route.path}': to(…),`,
    );
}

export function isInRole(route: Route, actor: Actor | undefined): boolean {
  return route.auth !== 'operator' || actor?.type !== 'operator' || operatorMay(actor.roles ?? [], route);
}

/** Throws FORBIDDEN without a second factor, without a matching role, or without a required step-up authentication. */
export function requireOperator(route: Route, actor: Actor, measure: Measure): void {
  if (route.auth !== 'operator') return;
  if (!actor.hasSecondFactor) throw new AppError('FORBIDDEN', { message: NO_SECOND_FACTOR, href: PATHS.adminAccount });
  if (!isInRole(route, actor)) throw new AppError('FORBIDDEN', { message: NOT_IN_ROLE });
  if (operatorRightOf(route)?.isProven) requireProof(actor, measure);
}
