/** Switching between oneself and the creators for whom one acts. Everything is loaded anew, as another person's. */
import { PATHS } from '@stagedoor/contract/addresses.ts';
import type { TeamRight } from '@stagedoor/contract/atoms/acting.ts';
import { actFor } from '@stagedoor/contract/team.ts';
import { ownTeamsPath } from '@stagedoor/contract/team-addresses.ts';
import { api } from '../../kernel/mutation.ts';
import { openDocument } from '../../kernel/page-exit.ts';

/** The first page of somebody who acts by these rights. */
export function homeOfRights(rights: readonly TeamRight[]): string {
  if (rights.includes('chat')) return PATHS.creatorChat;
  return rights.includes('posts') ? PATHS.creatorFeed : PATHS.creatorEarning;
}

/** For a creator whose team one is in, by these rights. Throws, once it was said, what is refused. */
export async function beginActing(creatorId: string, rights: readonly TeamRight[]): Promise<void> {
  await api(actFor, { body: { creatorId } });
  openDocument(homeOfRights(rights));
}

/** Oneself again. Throws as above. */
export async function stopActing(): Promise<void> {
  const { type } = await api(actFor, { body: { creatorId: null } });
  openDocument(ownTeamsPath(type));
}
