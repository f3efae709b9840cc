/**
 * Switches between the own account and acting on behalf of a creator. Each switch loads a new document, because all
 * data changes.
 */
import { PATHS } from '@stagedoor/contract/addresses.ts';
import type { TeamRight } from '@stagedoor/contract/shared/delegation.ts';
import { startDelegation } from '@stagedoor/contract/team.ts';
import { ownTeamsPath } from '@stagedoor/contract/team-addresses.ts';
import { api } from '../../kernel/mutation.ts';
import { openDocument } from '../../kernel/page-exit.ts';

export function getDelegationPath(rights: readonly TeamRight[]): string {
  if (rights.includes('chat')) return PATHS.creatorChat;
  return rights.includes('posts') ? PATHS.creatorFeed : PATHS.creatorEarning;
}

/** Starts acting on behalf of a creator. Shows and rethrows refusals. */
export async function switchToCreator(creatorId: string, rights: readonly TeamRight[]): Promise<void> {
  await api(startDelegation, { body: { creatorId } });
  openDocument(getDelegationPath(rights));
}

/** Returns to the own account. Shows and rethrows refusals. */
export async function switchToOwnAccount(): Promise<void> {
  const { type } = await api(startDelegation, { body: { creatorId: null } });
  openDocument(ownTeamsPath(type));
}
