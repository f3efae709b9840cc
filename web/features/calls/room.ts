/** The calls module: it listens for incoming calls on every page and loads the rest when the browser is first idle. */
import { PATHS } from '@stagedoor/contract/addresses.ts';
import { lazyPart } from '../../kernel/lazy-part.ts';
import { lazyListener, type Room } from '../../kernel/room.ts';

export const room: Room = {
  nav: { creator: [{ order: 55, href: PATHS.creatorCalls, label: 'Calls', icon: 'phone', isRailOnly: true }] },
  widget: {
    creator: lazyPart(async () => (await import('./availability-widget.tsx')).AvailabilityWidget),
    customer: lazyPart(async () => (await import('./low-funds.tsx')).LowFunds),
  },
  live: [lazyListener(async () => (await import('./listen.ts')).listenForCalls)],
};
