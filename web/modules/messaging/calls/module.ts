/** The calls module: it listens for incoming calls on every page and loads the rest when the browser is first idle. */
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { lazyPart } from '../../../platform/lazy-part.ts';
import { createLazyListener, type FeatureModule } from '../../../platform/module.ts';
import * as texts from './texts.ts';

export const featureModule: FeatureModule = {
  nav: { creator: [{ order: 55, href: PATHS.creatorCalls, label: texts.calls, icon: 'phone', isRailOnly: true }] },
  widget: {
    creator: lazyPart(async () => (await import('./availability-widget.tsx')).AvailabilityWidget),
    customer: lazyPart(async () => (await import('./fan-widget.tsx')).FanWidget),
  },
  live: [createLazyListener(async () => (await import('./socket-events.ts')).subscribeToCalls)],
};
