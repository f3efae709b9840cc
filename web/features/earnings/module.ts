import { PATHS } from '@stagedoor/contract/addresses.ts';
import { earningReceived, getCreatorStats } from '@stagedoor/contract/earnings.ts';
import { createListener, type FeatureModule } from '../../kernel/module.ts';
import { routeKey } from '../../kernel/query.ts';

export const featureModule: FeatureModule = {
  nav: {
    creator: [
      { order: 10, href: PATHS.creatorDashboard, label: 'Home', icon: 'home' },
      { order: 50, href: PATHS.creatorEarning, label: 'Earnings', icon: 'chart' },
    ],
  },
  live: [
    createListener(earningReceived, (client) => void client.invalidateQueries({ queryKey: routeKey(getCreatorStats) })),
  ],
};
