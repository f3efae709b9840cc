/**
 * Switches between the own account and acting on behalf of a creator. Each switch loads a new document, because all
 * data changes.
 */

import { ownTeamsPath } from '@stagedoor/contract/identity/team-addresses.ts';
import { startDelegation } from '@stagedoor/contract/identity/teams.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import type { TeamRight } from '@stagedoor/contract/shared/delegation.ts';
import { api } from '../../../platform/mutation.ts';
import { openDocument } from '../../../platform/page-exit.ts';

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
