import { PATHS } from '@stagedoor/contract/addresses.ts';
import type { Room } from '../../kernel/room.ts';

export const room: Room = {
  nav: { creator: [{ order: 70, href: PATHS.creatorProfile, label: 'Profile', icon: 'person', isInTopBar: true }] },
};
