/** In whose name something is done: the one place that makes a creator of somebody of their team, and only where the contract says so. */
import { mayAct, type TeamAccess } from '@stagedoor/contract/atoms/acting.ts';
import { ACTIVITIES, type Limited } from '@stagedoor/contract/atoms/activities.ts';
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { RouteSpec } from '@stagedoor/contract/atoms/route.ts';
import type { Acting, Actor } from './session.ts';

const OWNER_ONLY = 'This is for the owner of the account alone, or for who has the right to it.';

/** Kept from what either is kept from, for as long as the longer of the two. */
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
    // Whoever proves themself again here is not the creator.
    hasSecondFactor: false,
    loggedInAt: member.loggedInAt,
    member: { userId: member.userId, rights },
  };
}

/** Who a session is where that is open to a team: the creator for whom it acts, or its own person. Nobody, where it is not. */
export function whoFor(access: TeamAccess | undefined, actor: Actor): Actor | undefined {
  const { actingFor } = actor;
  if (!actingFor || access === 'self') return actor;
  return mayAct(access, actingFor.rights) ? inTheNameOf(actor, actingFor) : undefined;
}

/** The same for a route: what is public they see as everybody does. Throws FORBIDDEN. */
export function actorFor(route: Pick<RouteSpec, 'auth' | 'team'>, actor: Actor | undefined): Actor | undefined {
  const who = actor && whoFor(route.team, actor);
  if (actor && !who && route.auth !== 'public') throw new AppError('FORBIDDEN', { message: OWNER_ONLY });
  return who;
}
