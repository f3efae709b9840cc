/**
 * Connects the page to the installed app (rows I4, I5): service worker, offline copy, icon badge, notification clicks
 * and install prompt.
 */

import type { Viewer } from '@stagedoor/contract/identity/accounts.ts';
import type { QueryClient } from '@tanstack/react-query';
import type { OpenNote } from '../../workers/shared.ts';
import { localStore } from '../browser-storage.ts';
import { loadWhenReachable } from '../lazy-part.ts';
import { openDocument } from '../page-exit.ts';
import { isReloadBlocked } from '../reload-guard.ts';
import { onSignal } from '../signals.ts';
import { watchReleases } from './app-update.ts';
import { findInstallMethod, getDevice, isPromptHidden, isSafari } from './install-rules.ts';
import { type CurrentContent, startContentSync } from './offline-content.ts';
import { type PageActivity, watchPageActivity } from './page-activity.ts';
import type { openPwaOverlay, PwaOverlayState } from './pwa-overlay.tsx';

/** Each role has its own shortcuts. Both manifests have the same app id, so browsers treat them as one app. */
const MANIFESTS = { customer: '/manifest.webmanifest', creator: '/manifest-creator.webmanifest' } as const;
type PwaViewer = Pick<Viewer, 'id' | 'name'> & { type: keyof typeof MANIFESTS };
const PROMPT_CHECK_MS = 3_000;

export type ContentSources = { getContent: () => CurrentContent; countUnread: () => number };

/** The `beforeinstallprompt` event, which only Chromium supports. */
type InstallOffer = Event & { prompt: () => Promise<unknown>; userChoice: Promise<{ outcome: string }> };
function isInstallOffer(event: Event): event is InstallOffer {
  return 'prompt' in event && typeof event.prompt === 'function' && 'userChoice' in event;
}

function createLazyOverlay() {
  let overlay: ReturnType<typeof openPwaOverlay> | undefined;
  let isClosed = false;
  return {
    showOverlay: async (part: Partial<PwaOverlayState>) => {
      const { openPwaOverlay } = await loadWhenReachable(() => import('./pwa-overlay.tsx'));
      if (isClosed) return;
      overlay ??= openPwaOverlay();
      overlay.change(part);
    },
    close: () => {
      isClosed = true;
      overlay?.close();
    },
  };
}

/** Links the manifest only after the listener is registered, so that `beforeinstallprompt` is not missed. */
function linkManifest(type: PwaViewer['type']): void {
  document.querySelector('link[rel=manifest]')?.remove();
  const link = document.createElement('link');
  link.rel = 'manifest';
  link.href = MANIFESTS[type];
  document.head.append(link);
}

type ShowOverlay = (part: Partial<PwaOverlayState>) => Promise<void>;

const ACTION_BARS = '.composer, .action-bar, .themes-bar';

function startInstallPrompt(
  { isInterruptible, isIdle }: PageActivity,
  type: PwaViewer['type'],
  showOverlay: ShowOverlay,
): () => void {
  let offer: InstallOffer | undefined;
  let hasPrompted = false;
  const install = async () => {
    const currentOffer = offer;
    offer = undefined;
    if (!currentOffer) return false;
    await currentOffer.prompt();
    return (await currentOffer.userChoice).outcome === 'accepted';
  };
  const promptIfSuitable = (hasWaited: boolean) => {
    const method = findInstallMethod(getDevice(offer !== undefined));
    // The banner appears only with the next navigation. The card appears immediately and could move under a tap in
    // progress, so it waits for inactivity.
    const isCard = method === 'prompt' || method === 'menu';
    const isSuitable = isCard ? hasWaited && isIdle() && !document.querySelector(ACTION_BARS) : isInterruptible();
    if (hasPrompted || !method || isPromptHidden(localStore, Date.now()) || !isSuitable) return;
    hasPrompted = true;
    void showOverlay({ installPrompt: { method, install } });
  };
  const captureOffer = (event: Event) => {
    if (!isInstallOffer(event)) return;
    event.preventDefault();
    offer = event;
  };
  const clearPrompt = () => void showOverlay({ installPrompt: undefined });
  addEventListener('beforeinstallprompt', captureOffer);
  addEventListener('appinstalled', clearPrompt);
  linkManifest(type);
  promptIfSuitable(false);
  const promptTimer = setInterval(() => promptIfSuitable(true), PROMPT_CHECK_MS);
  return () => {
    clearInterval(promptTimer);
    removeEventListener('beforeinstallprompt', captureOffer);
    removeEventListener('appinstalled', clearPrompt);
  };
}

function syncIconBadge(client: QueryClient, countUnread: () => number): () => void {
  if (!('setAppBadge' in navigator)) return () => undefined;
  let shownCount: number | undefined;
  const show = (count: number) => {
    if (count === shownCount) return;
    shownCount = count;
    // Rejects if the app is not installed.
    void (count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge()).catch(() => undefined);
  };
  show(countUnread());
  const stops = [client.getQueryCache().subscribe(() => show(countUnread())), onSignal('leaving', () => show(0))];
  return () => {
    for (const stop of stops) stop();
  };
}

function isOpenNote(data: unknown): data is OpenNote {
  return typeof data === 'object' && data !== null && 'kind' in data && data.kind === 'open' && 'url' in data;
}

/** Opens the address of a clicked notification in this page, unless the page is busy or in use. */
function openClickedNotifications({ isIdle }: PageActivity): () => void {
  const handleMessage = ({ data, ports: [port] }: MessageEvent<unknown>) => {
    if (!isOpenNote(data)) return;
    const canOpen = isIdle();
    port?.postMessage(canOpen);
    if (canOpen) openDocument(data.url);
  };
  navigator.serviceWorker.addEventListener('message', handleMessage);
  return () => navigator.serviceWorker.removeEventListener('message', handleMessage);
}

/** Whether service workers are available. The development server has none, and insecure origins do not allow them. */
export const hasServiceWorkers = () => import.meta.env.PROD && 'serviceWorker' in navigator && 'caches' in window;

export function startPwa(client: QueryClient, viewer: PwaViewer, sources: ContentSources) {
  const { showOverlay, close } = createLazyOverlay();
  const activity = watchPageActivity(client);
  const stops = [
    watchReleases(activity.isIdle, (update) => {
      if (isReloadBlocked()) return false;
      void showOverlay({ update });
      return true;
    }),
    startContentSync(client, viewer, sources.getContent),
    syncIconBadge(client, sources.countUnread),
    openClickedNotifications(activity),
    startInstallPrompt(activity, viewer.type, showOverlay),
    activity.stop,
    close,
  ];
  return {
    stop: () => {
      for (const stop of stops) stop();
    },
    showInstructions: () => void showOverlay({ instructions: isSafari(navigator) ? 'banner' : 'safari' }),
  };
}
