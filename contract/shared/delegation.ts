/** `chat`: conversations and broadcasts. `posts`: posts, drafts and media. `figures`: earnings. */
export const TEAM_RIGHTS = ['chat', 'posts', 'figures'] as const;
export type TeamRight = (typeof TEAM_RIGHTS)[number];

/**
 * Team members who may call a route on behalf of the creator: those with one of these rights, or `any`. `self`: the
 * call concerns the member's own account even while acting for a creator. Undefined: only the creator.
 */
export type TeamAccess = 'any' | 'self' | readonly TeamRight[];

export function canActForCreator(access: TeamAccess | undefined, rights: readonly TeamRight[]): boolean {
  if (access === undefined || access === 'self') return false;
  return access === 'any' || access.some((right) => rights.includes(right));
}

/** The sender's name that a fan sees on messages written by a team member. */
export const formatTeamName = (creatorName: string): string => `${creatorName}’s team`;
