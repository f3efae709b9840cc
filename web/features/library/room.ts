import { PATHS } from '@stagedoor/contract/addresses.ts';
import type { Room } from '../../kernel/room.ts';

export const room: Room = {
  nav: {
    customer: [{ order: 60, href: PATHS.fanMedia, label: 'Media', icon: 'images', isRailOnly: true }],
    creator: [{ order: 60, href: PATHS.creatorMedia, label: 'Media', icon: 'images', isRailOnly: true }],
  },
};
