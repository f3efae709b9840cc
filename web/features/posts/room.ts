import { PATHS } from '@stagedoor/contract/addresses.ts';
import type { Room } from '../../kernel/room.ts';

export const room: Room = {
  nav: {
    customer: [{ order: 20, href: PATHS.fanDashboard, label: 'Feed', icon: 'feed' }],
    creator: [{ order: 20, href: PATHS.creatorFeed, label: 'Feed', icon: 'feed' }],
  },
};
