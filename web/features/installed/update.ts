/**
 * The app's worker and its updates (row I4). When a worker of another release takes over, the page is of an old one: it is loaded anew,
 * once for each release, and not before it is a good moment. Until then one line says so.
 */
import { isConnected, onConnected } from '../../kernel/live.ts';
import { openDocument } from '../../kernel/page-exit.ts';
import { APP_WORKER, type AskRelease, type ReleaseNote, type TakeOver } from '../../workers/shared.ts';

/** How often it is looked whether it is a good moment. */
const LOOK_MS = 1_000;
/** A page that has just come is about to be read. */
const YOUNG_MS = 4_000;
const CHECK_MS = 60 * 60_000;
/** Every browser that was connected comes back at the same time, and they do not all check at once. */
const SPREAD_MS = 3_000;
const RELOADED = 'reloadedFor';

function isRelease(data: unknown): data is ReleaseNote {
  return typeof data === 'object' && data !== null && 'kind' in data && data.kind === 'release' && 'release' in data;
}

/** What the pages' own code is of; workers are built with the same name (web/workers/build.ts). */
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
  /** Nobody looks. */
  isHidden: () => boolean;
  reload: () => void;
  /** Says that it waits. Answers whether it was said. */
  tell: (waiting: Waiting) => boolean;
};

/** Takes in of which release a worker is that has taken over; `look` is to be called again and again. */
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
      // The page was loaded for it already: once is enough, whatever it got.
      if (own === undefined || release === own || store.getItem(RELOADED) === release) return;
      // Each release is offered once, however often it is heard of.
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

/** Registers the worker and keeps the page at its release. Answers the function that stops it. */
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
  // The one that was there before may be older than the page, which is no reason to load it again.
  const question = () => serviceWorker.controller?.postMessage(ask);
  const hear = ({ data }: MessageEvent<unknown>) => {
    if (isRelease(data)) update.hear(data.release);
  };
  serviceWorker.addEventListener('controllerchange', question);
  serviceWorker.addEventListener('message', hear);
  const registered = serviceWorker.register(APP_WORKER, { scope: '/' });
  // Without it everything works as before, but without a connection.
  registered.catch(() => undefined);
  const takeOver: TakeOver = { kind: 'take over' };
  const look = () => {
    update.look();
    registered.then(({ waiting }) => waiting?.postMessage(takeOver)).catch(() => undefined);
  };
  const looking = setInterval(look, LOOK_MS);
  const check = async () => {
    const registration = await registered;
    // The browser joins a check to one that is running, which may have begun before the release was there. The second begins after it.
    await registration.update();
    await registration.update();
  };
  const checkQuietly = () => void check().catch(() => undefined);
  const checking = setInterval(checkQuietly, CHECK_MS);
  // A new release restarts the server, which cuts every connection. Registering has just checked for a page whose first one is quick.
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
