/**
 * Switches between the own account and acting on behalf of a creator. Each switch loads a new document, because all
 * data changes.
 */
import { PATHS } from '@stagedoor/contract/addresses.ts';
import type { TeamRight } from '@stagedoor/contract/atoms/acting.ts';
import { actFor } from '@stagedoor/contract/team.ts';
import { ownTeamsPath } from '@stagedoor/contract/team-addresses.ts';
import { api } from '../../kernel/mutation.ts';
import { openDocument } from '../../kernel/page-exit.ts';

export function homeOfRights(rights: readonly TeamRight[]): string {
  if (rights.includes('chat')) return PATHS.creatorChat;
  return rights.includes('posts') ? PATHS.creatorFeed : PATHS.creatorEarning;
}

/** Starts acting on behalf of a creator. Shows and rethrows refusals. */
export async function beginActing(creatorId: string, rights: readonly TeamRight[]): Promise<void> {
  await api(actFor, { body: { creatorId } });
  openDocument(homeOfRights(rights));
}

/** Returns to the own account. Shows and rethrows refusals. */
export async function stopActing(): Promise<void> {
  const { type } = await api(actFor, { body: { creatorId: null } });
  openDocument(ownTeamsPath(type));
}
