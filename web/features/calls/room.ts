/** Calls: whoever is called hears of it on whatever page; what it takes comes with the first idle moment. */
import { PATHS } from '@stagedoor/contract/addresses.ts';
import { lazyPart } from '../../kernel/lazy-part.ts';
import { lazyListener, type Room } from '../../kernel/room.ts';
import { LowFunds } from './low-funds.tsx';

export const room: Room = {
  nav: { creator: [{ order: 55, href: PATHS.creatorCalls, label: 'Calls', icon: 'phone', isRailOnly: true }] },
  widget: {
    creator: lazyPart(async () => (await import('./availability-widget.tsx')).AvailabilityWidget),
    customer: LowFunds,
  },
  live: [lazyListener(async () => (await import('./listen.ts')).listenForCalls)],
};
