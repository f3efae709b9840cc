/**
 * Connects the page to the installed app (rows I4, I5): service worker, offline copy, icon badge, notification clicks
 * and install prompt.
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

/** Each role has its own shortcuts. Both manifests have the same app id, so browsers treat them as one app. */
const MANIFESTS = { customer: '/manifest.webmanifest', creator: '/manifest-creator.webmanifest' } as const;
type Who = Pick<Viewer, 'id' | 'name'> & { type: keyof typeof MANIFESTS };
const ASK_MS = 3_000;

export type Reads = { seen: () => SeenNow; unread: () => number };

/** The `beforeinstallprompt` event, which only Chromium supports. */
type Offer = Event & { prompt: () => Promise<unknown>; userChoice: Promise<{ outcome: string }> };
function isOffer(event: Event): event is Offer {
  return 'prompt' in event && typeof event.prompt === 'function' && 'userChoice' in event;
}

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

/** Links the manifest only after the listener is registered, so that `beforeinstallprompt` is not missed. */
function linkManifest(type: Who['type']): void {
  document.querySelector('link[rel=manifest]')?.remove();
  const link = document.createElement('link');
  link.rel = 'manifest';
  link.href = MANIFESTS[type];
  document.head.append(link);
}

type Say = (part: Partial<Said>) => Promise<void>;

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
    // The banner appears only with the next navigation. The card appears immediately and could move under a tap in
    // progress, so it waits for inactivity.
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

function countOnIcon(client: QueryClient, unread: () => number): () => void {
  if (!('setAppBadge' in navigator)) return () => undefined;
  let shown: number | undefined;
  const show = (count: number) => {
    if (count === shown) return;
    shown = count;
    // Rejects if the app is not installed.
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

/** Opens the address of a clicked notification in this page, unless the page is busy or in use. */
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

/** Whether service workers are available. The development server has none, and insecure origins do not allow them. */
export const hasWorkers = () => import.meta.env.PROD && 'serviceWorker' in navigator && 'caches' in window;

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
