/**
 * What Stagedoor is on somebody's device beside a page (rows I4, I5): its worker and manifest, what was seen last, the count on its icon,
 * where a push leads, and the question whether to install it. Only for whoever is logged in, once their page is alive.
 */
import type { Viewer } from '@stagedoor/contract/accounts.ts';
import type { QueryClient } from '@tanstack/react-query';
import { isBusy } from '../../kernel/busy.ts';
import { whenReachable } from '../../kernel/lazy-part.ts';
import { openDocument } from '../../kernel/page-exit.ts';
import { onSignal } from '../../kernel/signals.ts';
import type { OpenNote } from '../../workers/shared.ts';
import { type Moment, watchMoment } from './moment.ts';
import { isHidden, isSafari, thisDevice, wayOf } from './rules.ts';
import type { openSaid, Said } from './said.tsx';
import { keepSeen, type SeenNow } from './seen.ts';
import { followReleases } from './update.ts';

/** With shortcuts of each role's own; to the browser they are one app. */
const MANIFESTS = { customer: '/manifest.webmanifest', creator: '/manifest-creator.webmanifest' } as const;
type Who = Pick<Viewer, 'id' | 'name'> & { type: keyof typeof MANIFESTS };
/** A question waits for a good moment, and is put again. */
const ASK_MS = 3_000;

export type Reads = { seen: () => SeenNow; unread: () => number };

/** The browser's own offer to install, which only Chromium makes. */
type Offer = Event & { prompt: () => Promise<unknown>; userChoice: Promise<{ outcome: string }> };
function isOffer(event: Event): event is Offer {
  return 'prompt' in event && typeof event.prompt === 'function' && 'userChoice' in event;
}

/** What is said over the page; its code comes with the first of it. */
function createSaying() {
  let place: ReturnType<typeof openSaid> | undefined;
  let isGone = false;
  return {
    say: async (part: Partial<Said>) => {
      const { openSaid: open } = await whenReachable(() => import('./said.tsx'));
      if (isGone) return;
      place ??= open();
      place.change(part);
    },
    close: () => {
      isGone = true;
      place?.close();
    },
  };
}

/** The manifest is linked when the listener is there, so that the browser's offer is not missed. */
function linkManifest(type: Who['type']): void {
  document.querySelector('link[rel=manifest]')?.remove();
  const link = document.createElement('link');
  link.rel = 'manifest';
  link.href = MANIFESTS[type];
  document.head.append(link);
}

type Say = (part: Partial<Said>) => Promise<void>;

/** What lies at the lower edge, where the card would. */
const BARS = '.composer, .action-bar, .themes-bar';

function askToInstall({ isGood, isFree }: Moment, type: Who['type'], say: Say): () => void {
  let offer: Offer | undefined;
  let hasAsked = false;
  const install = async () => {
    const taken = offer;
    offer = undefined;
    if (!taken) return false;
    await taken.prompt();
    return (await taken.userChoice).outcome === 'accepted';
  };
  const ask = (hasStood: boolean) => {
    const way = wayOf(thisDevice(offer !== undefined));
    // A banner waits for a press by itself; the card would rise under a thumb on its way.
    const isCard = way === 'prompt' || way === 'menu';
    const isMoment = isCard ? hasStood && isFree() && !document.querySelector(BARS) : isGood();
    if (hasAsked || !way || isHidden(localStorage, Date.now()) || !isMoment) return;
    hasAsked = true;
    void say({ asking: { way, install } });
  };
  const take = (event: Event) => {
    if (!isOffer(event)) return;
    event.preventDefault();
    offer = event;
  };
  const installed = () => void say({ asking: undefined });
  addEventListener('beforeinstallprompt', take);
  addEventListener('appinstalled', installed);
  linkManifest(type);
  ask(false);
  const asking = setInterval(() => ask(true), ASK_MS);
  return () => {
    clearInterval(asking);
    removeEventListener('beforeinstallprompt', take);
    removeEventListener('appinstalled', installed);
  };
}

/** How much is unread stands on the app's icon, where there is one that can show it. */
function countOnIcon(client: QueryClient, unread: () => number): () => void {
  if (!('setAppBadge' in navigator)) return () => undefined;
  let shown: number | undefined;
  const show = (count: number) => {
    if (count === shown) return;
    shown = count;
    // Refused where the app is not installed.
    void (count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge()).catch(() => undefined);
  };
  show(unread());
  const stops = [client.getQueryCache().subscribe(() => show(unread())), onSignal('leaving', () => show(0))];
  return () => {
    for (const stop of stops) stop();
  };
}

function isOpen(data: unknown): data is OpenNote {
  return typeof data === 'object' && data !== null && 'kind' in data && data.kind === 'open' && 'url' in data;
}

/** A pressed push leads this page there, unless something here may not be broken off, or a hand is at it. */
function followPushes({ isFree }: Moment): () => void {
  const hear = ({ data, ports: [port] }: MessageEvent<unknown>) => {
    if (!isOpen(data)) return;
    const goes = isFree();
    port?.postMessage(goes);
    if (goes) openDocument(data.url);
  };
  navigator.serviceWorker.addEventListener('message', hear);
  return () => navigator.serviceWorker.removeEventListener('message', hear);
}

/** Whether this browser can have workers here. The server of development has none, and insecure origins may not. */
export const hasWorkers = () => import.meta.env.PROD && 'serviceWorker' in navigator && 'caches' in window;

/** Answers the function that stops it, and the one that shows how to put it on a Home Screen. */
export function beginInstalled(client: QueryClient, viewer: Who, reads: Reads) {
  const { say, close } = createSaying();
  const moment = watchMoment(client);
  const stops = [
    followReleases(moment.isFree, (update) => {
      if (isBusy()) return false;
      void say({ update });
      return true;
    }),
    keepSeen(client, viewer, reads.seen),
    countOnIcon(client, reads.unread),
    followPushes(moment),
    askToInstall(moment, viewer.type, say),
    moment.stop,
    close,
  ];
  return {
    stop: () => {
      for (const stop of stops) stop();
    },
    showHowTo: () => void say({ howTo: isSafari(navigator) ? 'banner' : 'safari' }),
  };
}
