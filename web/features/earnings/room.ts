import { PATHS } from '@stagedoor/contract/addresses.ts';
import { creatorStats, earningReceived } from '@stagedoor/contract/earnings.ts';
import { routeKey } from '../../kernel/query.ts';
import { hear, type Room } from '../../kernel/room.ts';

export const room: Room = {
  nav: {
    creator: [
      { order: 10, href: PATHS.creatorDashboard, label: 'Home', icon: 'home' },
      { order: 50, href: PATHS.creatorEarning, label: 'Earnings', icon: 'chart' },
    ],
  },
  live: [hear(earningReceived, (client) => void client.invalidateQueries({ queryKey: routeKey(creatorStats) }))],
};
