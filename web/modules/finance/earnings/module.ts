import { earningReceived, getCreatorStats } from '@stagedoor/contract/finance/earnings.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { createListener, type FeatureModule } from '../../../platform/module.ts';
import { routeKey } from '../../../platform/query.ts';
import * as texts from './texts.ts';
import { announceTip } from './tip-toast.ts';

export const featureModule: FeatureModule = {
  nav: {
    creator: [
      { order: 10, href: PATHS.creatorDashboard, label: 'Home', icon: 'home' },
      { order: 50, href: PATHS.creatorEarning, label: texts.earnings, icon: 'chart' },
    ],
  },
  live: [
    createListener(earningReceived, (client, earning) => {
      void client.invalidateQueries({ queryKey: routeKey(getCreatorStats) });
      announceTip(earning);
    }),
  ],
};
