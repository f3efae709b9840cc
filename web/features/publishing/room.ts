import { PATHS } from '@stagedoor/contract/addresses.ts';
import type { Room } from '../../kernel/room.ts';

export const room: Room = {
  nav: { creator: [{ order: 30, href: PATHS.creatorNewPost, label: 'New', icon: 'plus' }] },
};
