/** Switching between oneself and the creators for whom one acts. Everything is loaded anew, as another person's. */
import { PATHS } from '@stagedoor/contract/addresses.ts';
import type { TeamRight } from '@stagedoor/contract/atoms/acting.ts';
import { actFor } from '@stagedoor/contract/team.ts';
import { api } from '../../kernel/mutation.ts';

/** The first page of somebody who acts by these rights. */
export function homeOfRights(rights: readonly TeamRight[]): string {
  if (rights.includes('chat')) return PATHS.creatorChat;
  return rights.includes('posts') ? PATHS.creatorFeed : PATHS.creatorEarning;
}

/** Throws, once it was said, what is refused. */
export async function switchTo(creatorId: string | null, home: string): Promise<void> {
  await api(actFor, { body: { creatorId } });
  location.assign(home);
}
