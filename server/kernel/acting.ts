import { mayAct, type TeamAccess } from '@stagedoor/contract/atoms/acting.ts';
import { ACTIVITIES, type Limited } from '@stagedoor/contract/atoms/activities.ts';
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { RouteSpec } from '@stagedoor/contract/atoms/route.ts';
import type { Acting, Actor } from './session.ts';

const OWNER_ONLY = 'Only the account owner or a team member with permission can do this.';

function limitedOf(one: Limited | null | undefined, other: Limited | null | undefined): Limited {
  return Object.fromEntries(
    ACTIVITIES.flatMap((activity) => {
      const until = [one?.[activity], other?.[activity]]
        .flatMap((iso) => iso ?? [])
        .sort()
        .at(-1);
      return until === undefined ? [] : [[activity, until]];
    }),
  );
}

function inTheNameOf(member: Actor, { creator, rights }: Acting): Actor {
  return {
    ...creator,
    type: 'creator',
    sessionId: member.sessionId,
    isBlocked: creator.isBlocked || member.isBlocked,
    limited: limitedOf(creator.limited, member.limited),
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
export function whoFor(access: TeamAccess | undefined, actor: Actor): Actor | undefined {
  const { actingFor } = actor;
  if (!actingFor || access === 'self') return actor;
  return mayAct(access, actingFor.rights) ? inTheNameOf(actor, actingFor) : undefined;
}

/**
 * Resolves the actor of a route. Throws FORBIDDEN for a member without the right, who counts as a visitor on public
 * routes.
 */
export function actorFor(route: Pick<RouteSpec, 'auth' | 'team'>, actor: Actor | undefined): Actor | undefined {
  const who = actor && whoFor(route.team, actor);
  if (actor && !who && route.auth !== 'public') throw new AppError('FORBIDDEN', { message: OWNER_ONLY });
  return who;
}
