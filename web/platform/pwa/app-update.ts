/**
 * Registers the service worker and handles updates (row I4). When a worker of another release is installed, the page is
 * reloaded once at a suitable moment. Until then a notice is shown.
 */

import { APP_WORKER, type ReleaseNote, type ReleaseRequest, type TakeOverRequest } from '../../workers/shared.ts';
import { type SafeStore, sessionStore } from '../browser-storage.ts';
import { openDocument } from '../page-exit.ts';
import { isConnected, onConnected } from '../socket-events.ts';

const POLL_MS = 1_000;
/** A page that has just loaded is not reloaded, because the user starts to read it. */
const FRESH_PAGE_MS = 4_000;
const CHECK_MS = 60 * 60_000;
/** After a restart all connected browsers return at the same time. The delay spreads their update checks. */
const SPREAD_MS = 3_000;
const RELOADED_KEY = 'reloadedFor';

function isRelease(data: unknown): data is ReleaseNote {
  return typeof data === 'object' && data !== null && 'kind' in data && data.kind === 'release' && 'release' in data;
}

/** The release of the page's own code. Workers are built with the same name (see web/workers/build.ts). */
function getOwnRelease(): string | undefined {
  const manifest: unknown = Reflect.get(window, '__reactRouterManifest');
  if (typeof manifest !== 'object' || manifest === null || !('version' in manifest)) return undefined;
  return typeof manifest.version === 'string' ? manifest.version : undefined;
}

type PendingUpdate = { reload: () => void; postpone: () => void };
type UpdateOptions = {
  ownRelease: string | undefined;
  store: Pick<SafeStore, 'getItem' | 'setItem' | 'isPersistent'>;
  canReload: () => boolean;
  isHidden: () => boolean;
  reload: () => void;
  /** Shows the update notice. Returns whether it was shown. */
  showNotice: (pendingUpdate: PendingUpdate) => boolean;
};

export function createUpdateHandler({ ownRelease, store, canReload, isHidden, reload, showNotice }: UpdateOptions) {
  let pendingRelease: string | undefined;
  let isPostponed = false;
  let isNoticeShown = false;
  const reloadNow = () => {
    if (pendingRelease === undefined) return;
    store.setItem(RELOADED_KEY, pendingRelease);
    pendingRelease = undefined;
    reload();
  };
  const postpone = () => {
    isPostponed = true;
  };
  const applyWhenSuitable = () => {
    if (pendingRelease === undefined) return;
    // Without storage, a reloaded page does not know that it must not reload again.
    if (store.isPersistent() && canReload() && (isHidden() || !isPostponed)) reloadNow();
    else if (!isNoticeShown) isNoticeShown = showNotice({ reload: reloadNow, postpone });
  };
  return {
    receiveRelease: (release: string) => {
      // The page was already reloaded for this release. It is not reloaded again, even if the release differs.
      if (ownRelease === undefined || release === ownRelease || store.getItem(RELOADED_KEY) === release) return;
      if (release !== pendingRelease) {
        pendingRelease = release;
        isNoticeShown = false;
        isPostponed = false;
      }
      applyWhenSuitable();
    },
    applyWhenSuitable,
  };
}

export function watchReleases(isIdle: () => boolean, showNotice: UpdateOptions['showNotice']): () => void {
  const { serviceWorker } = navigator;
  const startedAt = performance.now();
  const isHidden = () => document.visibilityState === 'hidden';
  const update = createUpdateHandler({
    ownRelease: getOwnRelease(),
    store: sessionStore,
    canReload: () => isIdle() && (isHidden() || performance.now() - startedAt > FRESH_PAGE_MS),
    isHidden,
    reload: openDocument,
    showNotice,
  });
  const request: ReleaseRequest = { kind: 'which' };
  // A worker that was active before may be older than the page, so its release is not requested at the start.
  const requestRelease = () => serviceWorker.controller?.postMessage(request);
  const receiveRelease = ({ data }: MessageEvent<unknown>) => {
    if (isRelease(data)) update.receiveRelease(data.release);
  };
  serviceWorker.addEventListener('controllerchange', requestRelease);
  serviceWorker.addEventListener('message', receiveRelease);
  const registering = serviceWorker.register(APP_WORKER, { scope: '/' });
  const stopping = new AbortController();
  // A browser may delay the activation of an installed worker, so its release is requested before that.
  const watchInstallation = (worker: ServiceWorker | null) =>
    worker?.addEventListener('statechange', () => worker.state === 'installed' && worker.postMessage(request), {
      signal: stopping.signal,
    });
  registering
    .then((registration) =>
      registration.addEventListener('updatefound', () => watchInstallation(registration.installing), {
        signal: stopping.signal,
      }),
    )
    .catch(() => undefined);
  const takeOver: TakeOverRequest = { kind: 'take over' };
  const applyWhenSuitable = () => {
    update.applyWhenSuitable();
    registering.then(({ waiting }) => waiting?.postMessage(takeOver)).catch(() => undefined);
  };
  const applyTimer = setInterval(applyWhenSuitable, POLL_MS);
  const check = async () => {
    const registration = await registering;
    // A browser merges an update check into a running one, which may have started before the release was available. The
    // second check starts afterwards.
    await registration.update();
    await registration.update();
  };
  const checkQuietly = () => void check().catch(() => undefined);
  const checkTimer = setInterval(checkQuietly, CHECK_MS);
  // A new release restarts the server and drops all connections, so a reconnect triggers an update check.
  let checkDelay: ReturnType<typeof setTimeout> | undefined;
  let hasConnected = isConnected();
  const stopConnected = onConnected(() => {
    clearTimeout(checkDelay);
    if (hasConnected || performance.now() - startedAt > FRESH_PAGE_MS)
      checkDelay = setTimeout(checkQuietly, Math.random() * SPREAD_MS);
    hasConnected = true;
  });
  return () => {
    stopping.abort();
    stopConnected();
    clearTimeout(checkDelay);
    clearInterval(applyTimer);
    clearInterval(checkTimer);
    serviceWorker.removeEventListener('controllerchange', requestRelease);
    serviceWorker.removeEventListener('message', receiveRelease);
  };
}
