/**
 * Who of the operators may call what: by the table of contract/operator-rights.ts alone, with a second factor, and where the table asks
 * for it after having proven within the last minutes who they are.
 */
import { PATHS } from '@stagedoor/contract/addresses.ts';
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { RouteSpec } from '@stagedoor/contract/atoms/route.ts';
import { DESK_PATHS } from '@stagedoor/contract/desk-addresses.ts';
import { operatorMay, operatorRightOf } from '@stagedoor/contract/operator-rights.ts';
import type { Context } from './context.ts';
import type { Actor } from './session.ts';

const NO_SECOND_FACTOR = 'Operators log in with a second factor. Please set up two-factor log-in first.';
const NOT_IN_ROLE = 'Your roles at the desk do not include this.';
const NOT_PROVEN = 'This is about money, documents or rights: please prove again that it is you.';

type Route = Pick<RouteSpec, 'auth' | 'method' | 'path'>;
type Measure = Pick<Context, 'clock' | 'config'>;

/** Until when what an operator proved holds: a log-in proves it too. */
export function provenUntil(actor: Actor, { config }: Pick<Context, 'config'>): Date {
  const provenAt = Math.max(actor.loggedInAt.getTime(), actor.provenAt?.getTime() ?? 0);
  return new Date(provenAt + config.operatorSessions.proofMs);
}

/** Throws FORBIDDEN, which leads to where it is proven, unless the operator has proven who they are within the last minutes. */
export function requireProof(actor: Actor, { clock, config }: Measure): void {
  if (provenUntil(actor, { config }) > clock.now()) return;
  throw new AppError('FORBIDDEN', { message: NOT_PROVEN, href: DESK_PATHS.adminProve });
}

/** A route for operators has its line in the table, or nothing is bound. */
export function requireEntry(route: Route): void {
  if (route.auth === 'operator' && !operatorRightOf(route))
    throw new Error(
      `${route.method} ${route.path} is for operators; add to OPERATOR_RIGHTS in contract/operator-rights.ts: '${route.method} ${route.path}': to(…),`,
    );
}

/** Whether an operator's roles include a route; of every other route, yes. */
export function isInRole(route: Route, actor: Actor | undefined): boolean {
  return route.auth !== 'operator' || actor?.type !== 'operator' || operatorMay(actor.roles ?? [], route);
}

/** Refuses an operator what is not theirs: without a second factor everything, else what their roles leave out or what asks for a proof. */
export function requireOperator(route: Route, actor: Actor, measure: Measure): void {
  if (route.auth !== 'operator') return;
  if (!actor.hasSecondFactor) throw new AppError('FORBIDDEN', { message: NO_SECOND_FACTOR, href: PATHS.adminAccount });
  if (!isInRole(route, actor)) throw new AppError('FORBIDDEN', { message: NOT_IN_ROLE });
  if (operatorRightOf(route)?.isProven) requireProof(actor, measure);
}
