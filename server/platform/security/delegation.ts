import { canActForCreator, type TeamAccess } from '@stagedoor/contract/shared/delegation.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { RESTRICTED_ACTIVITIES, type Restrictions } from '@stagedoor/contract/shared/restrictions.ts';
import type { RouteSpec } from '@stagedoor/contract/shared/route.ts';
import type { Actor, Delegation } from './session.ts';

const OWNER_ONLY_MESSAGE = 'Only the account owner or a team member with permission can do this.';

function mergeRestrictions(one: Restrictions | null | undefined, other: Restrictions | null | undefined): Restrictions {
  return Object.fromEntries(
    RESTRICTED_ACTIVITIES.flatMap((activity) => {
      const until = [one?.[activity], other?.[activity]]
        .flatMap((iso) => iso ?? [])
        .sort()
        .at(-1);
      return until === undefined ? [] : [[activity, until]];
    }),
  );
}

function toCreatorActor(member: Actor, { creator, rights }: Delegation): Actor {
  return {
    ...creator,
    type: 'creator',
    sessionId: member.sessionId,
    isBlocked: creator.isBlocked || member.isBlocked,
    restrictions: mergeRestrictions(creator.restrictions, member.restrictions),
    // A step-up authentication of a member does not count for the creator.
    hasSecondFactor: false,
    loggedInAt: member.loggedInAt,
    member: { userId: member.userId, rights },
  };
}

/**
 * Returns the user of the session, or the creator it acts for when the access permits it. Undefined when the member
 * lacks the right.
 */
export function resolveActor(access: TeamAccess | undefined, actor: Actor): Actor | undefined {
  const { onBehalfOf } = actor;
  if (!onBehalfOf || access === 'self') return actor;
  return canActForCreator(access, onBehalfOf.rights) ? toCreatorActor(actor, onBehalfOf) : undefined;
}

/**
 * Resolves the actor of a route. Throws FORBIDDEN for a member without the right, who counts as a visitor on public
 * routes.
 */
export function resolveRouteActor(
  route: Pick<RouteSpec, 'auth' | 'team'>,
  actor: Actor | undefined,
): Actor | undefined {
  const effectiveActor = actor && resolveActor(route.team, actor);
  if (actor && !effectiveActor && route.auth !== 'public')
    throw new AppError('FORBIDDEN', { message: OWNER_ONLY_MESSAGE });
  return effectiveActor;
}
