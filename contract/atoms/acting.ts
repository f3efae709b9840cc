/** What somebody of a creator's team may do in the creator's name: rights, and how routes and socket events name them. */

/** `chat`: conversations and broadcasts. `posts`: posts, drafts and media. `figures`: what was earned. */
export const TEAM_RIGHTS = ['chat', 'posts', 'figures'] as const;
export type TeamRight = (typeof TEAM_RIGHTS)[number];

/**
 * Who of a team may: whoever has one of these rights, in the creator's name; `any`, whoever is in the team; `self`, a session that acts for a
 * creator is still its own person's here. What says nothing is for the creator alone.
 */
export type TeamAccess = 'any' | 'self' | readonly TeamRight[];

/** Whether these rights are enough, for what is done in the creator's name. */
export function mayAct(access: TeamAccess | undefined, rights: readonly TeamRight[]): boolean {
  if (access === undefined || access === 'self') return false;
  return access === 'any' || access.some((right) => rights.includes(right));
}

/** Whose words a fan reads that somebody of a creator's team wrote. */
export const teamName = (creatorName: string): string => `${creatorName}’s team`;
