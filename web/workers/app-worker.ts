/**
 * The service worker of the app (scope `/`, docs/adr/0011). While offline it serves the offline page, and it
 * receives shared content. It caches only the files of the offline page and does not handle other requests.
 */
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { joinSharedText, storeShare, toSharer } from './receive.ts';
import {
  OFFLINE_PAGE,
  OFFLINE_SCRIPT,
  type ReleaseNote,
  type ReleaseRequest,
  SEEN_PREFIX,
  SHARE_PATH,
  SHARED_CACHE,
  SHARED_PARAM,
  SHELL_PREFIX,
  type TakeOverRequest,
} from './shared.ts';

declare const self: ServiceWorkerGlobalScope;
declare const RELEASE: string;
declare const FONTS: readonly string[];

const SHELL = SHELL_PREFIX + RELEASE;
const CACHED_PATHS: readonly string[] = [OFFLINE_PAGE, OFFLINE_SCRIPT, ...FONTS];
/** Paths of data and files, which are never replaced by the offline page. */
const NON_PAGE = /^\/(?:api|files|assets|fonts|socket\.io|dev|embed|webhooks?)\//;
const LOG_OUT = '/api/auth/logout';
const VIEWER_URL = '/api/auth/user';
const HOMES = { creator: PATHS.creatorNewPost, customer: PATHS.fanChat } as const;

async function cacheShell(): Promise<void> {
  const cache = await caches.open(SHELL);
  await cache.addAll(CACHED_PATHS.map((path) => new Request(path, { cache: 'reload' })));
  await self.skipWaiting();
}

async function deleteCaches(isObsolete: (name: string) => boolean): Promise<void> {
  const names = await caches.keys();
  await Promise.all(names.filter(isObsolete).map((name) => caches.delete(name)));
}

/** Takes control of every open page and sends it the release. */
async function activate(): Promise<void> {
  await deleteCaches((name) => name.startsWith(SHELL_PREFIX) && name !== SHELL);
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
}

async function findCached(path: string): Promise<Response | undefined> {
  return (await caches.open(SHELL)).match(path);
}

async function fetchPage(event: FetchEvent): Promise<Response> {
  try {
    const preloaded: unknown = await event.preloadResponse;
    return preloaded instanceof Response ? preloaded : await fetch(event.request);
  } catch (error) {
    const offline = await findCached(OFFLINE_PAGE);
    if (offline) return offline;
    throw error;
  }
}

/** Deletes the stored content of all accounts after a logout, even if the page that requested it is already gone. */
async function logOut(request: Request): Promise<Response> {
  const response = await fetch(request);
  if (response.ok || response.status === 401)
    await deleteCaches((name) => name.startsWith(SEEN_PREFIX) || name === SHARED_CACHE);
  return response;
}

/**
 * Stores shared content for the current account and redirects to the page that shows it. Without an account or a
 * connection nothing is stored.
 */
async function receiveShare(request: Request): Promise<Response> {
  const response = await fetch(VIEWER_URL, { credentials: 'same-origin' }).catch(() => undefined);
  const sharer = toSharer(response?.ok ? await response.json() : undefined);
  if (!sharer) {
    await caches.delete(SHARED_CACHE);
    // While offline every page is the offline page.
    return Response.redirect(response ? PATHS.login : '/', 303);
  }
  const form = await request.formData();
  const files = form.getAll('files').filter((file) => file instanceof File);
  const text = joinSharedText(['title', 'text', 'url'].map((name) => form.get(name)));
  const count = await storeShare(files, sharer, caches, Date.now(), text);
  return Response.redirect(`${HOMES[sharer.type]}?${SHARED_PARAM}=${count}`, 303);
}

function isMessage<T extends ReleaseRequest | TakeOverRequest>(kind: T['kind'], data: unknown): data is T {
  return typeof data === 'object' && data !== null && 'kind' in data && data.kind === kind;
}

self.addEventListener('install', (event) => event.waitUntil(cacheShell()));
self.addEventListener('activate', (event) => event.waitUntil(activate()));
self.addEventListener('message', ({ data, source }) => {
  const note: ReleaseNote = { kind: 'release', release: RELEASE };
  if (isMessage<ReleaseRequest>('which', data)) source?.postMessage(note);
  else if (isMessage<TakeOverRequest>('take over', data)) void self.skipWaiting();
});
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== self.location.origin) return;
  if (request.method === 'POST') {
    if (pathname === SHARE_PATH) event.respondWith(receiveShare(request));
    else if (pathname === LOG_OUT) event.respondWith(logOut(request));
    return;
  }
  if (request.method !== 'GET') return;
  if (request.mode === 'navigate') {
    if (!NON_PAGE.test(pathname)) event.respondWith(fetchPage(event));
  } else if (CACHED_PATHS.includes(pathname))
    event.respondWith(findCached(pathname).then((cached) => cached ?? fetch(request)));
});
