/**
 * Registers the service worker and handles updates (row I4). When a worker of another release takes over, the page is
 * reloaded once at a suitable moment. Until then a notice is shown.
 */
import { isConnected, onConnected } from '../../kernel/live.ts';
import { openDocument } from '../../kernel/page-exit.ts';
import { APP_WORKER, type AskRelease, type ReleaseNote, type TakeOver } from '../../workers/shared.ts';

const LOOK_MS = 1_000;
/** A page that has just loaded is not reloaded, because the user starts to read it. */
const YOUNG_MS = 4_000;
const CHECK_MS = 60 * 60_000;
/** After a restart all connected browsers return at the same time. The delay spreads their update checks. */
const SPREAD_MS = 3_000;
const RELOADED = 'reloadedFor';

function isRelease(data: unknown): data is ReleaseNote {
  return typeof data === 'object' && data !== null && 'kind' in data && data.kind === 'release' && 'release' in data;
}

/** The release of the page's own code. Workers are built with the same name (see web/workers/build.ts). */
function ownRelease(): string | undefined {
  const manifest: unknown = Reflect.get(window, '__reactRouterManifest');
  if (typeof manifest !== 'object' || manifest === null || !('version' in manifest)) return undefined;
  return typeof manifest.version === 'string' ? manifest.version : undefined;
}

type Waiting = { reload: () => void; later: () => void };
type Page = {
  own: string | undefined;
  store: Pick<Storage, 'getItem' | 'setItem'>;
  isGoodMoment: () => boolean;
  isHidden: () => boolean;
  reload: () => void;
  /** Shows the update notice. Returns whether it was shown. */
  tell: (waiting: Waiting) => boolean;
};

export function createUpdate({ own, store, isGoodMoment, isHidden, reload, tell }: Page) {
  let wanted: string | undefined;
  let isPutOff = false;
  let isTold = false;
  const now = () => {
    if (wanted === undefined) return;
    store.setItem(RELOADED, wanted);
    wanted = undefined;
    reload();
  };
  const later = () => {
    isPutOff = true;
  };
  const look = () => {
    if (wanted === undefined) return;
    if (isGoodMoment() && (isHidden() || !isPutOff)) now();
    else if (!isTold) isTold = tell({ reload: now, later });
  };
  return {
    hear: (release: string) => {
      // The page was already reloaded for this release. It is not reloaded again, even if the release differs.
      if (own === undefined || release === own || store.getItem(RELOADED) === release) return;
      if (release !== wanted) {
        wanted = release;
        isTold = false;
        isPutOff = false;
      }
      look();
    },
    look,
  };
}

export function followReleases(isFree: () => boolean, tell: Page['tell']): () => void {
  const { serviceWorker } = navigator;
  const begunAt = performance.now();
  const isHidden = () => document.visibilityState === 'hidden';
  const update = createUpdate({
    own: ownRelease(),
    store: sessionStorage,
    isGoodMoment: () => isFree() && (isHidden() || performance.now() - begunAt > YOUNG_MS),
    isHidden,
    reload: openDocument,
    tell,
  });
  const ask: AskRelease = { kind: 'which' };
  // A worker that was active before may be older than the page, so it is not asked at the start.
  const question = () => serviceWorker.controller?.postMessage(ask);
  const hear = ({ data }: MessageEvent<unknown>) => {
    if (isRelease(data)) update.hear(data.release);
  };
  serviceWorker.addEventListener('controllerchange', question);
  serviceWorker.addEventListener('message', hear);
  const registered = serviceWorker.register(APP_WORKER, { scope: '/' });
  registered.catch(() => undefined);
  const takeOver: TakeOver = { kind: 'take over' };
  const look = () => {
    update.look();
    registered.then(({ waiting }) => waiting?.postMessage(takeOver)).catch(() => undefined);
  };
  const looking = setInterval(look, LOOK_MS);
  const check = async () => {
    const registration = await registered;
    // A browser merges an update check into a running one, which may have started before the release was available. The
    // second check starts afterwards.
    await registration.update();
    await registration.update();
  };
  const checkQuietly = () => void check().catch(() => undefined);
  const checking = setInterval(checkQuietly, CHECK_MS);
  // A new release restarts the server and drops all connections, so a reconnect triggers an update check.
  let soon: ReturnType<typeof setTimeout> | undefined;
  let hasConnected = isConnected();
  const stopConnected = onConnected(() => {
    clearTimeout(soon);
    if (hasConnected || performance.now() - begunAt > YOUNG_MS)
      soon = setTimeout(checkQuietly, Math.random() * SPREAD_MS);
    hasConnected = true;
  });
  return () => {
    stopConnected();
    clearTimeout(soon);
    clearInterval(looking);
    clearInterval(checking);
    serviceWorker.removeEventListener('controllerchange', question);
    serviceWorker.removeEventListener('message', hear);
  };
}
