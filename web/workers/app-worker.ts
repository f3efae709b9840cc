/**
 * The service worker of the app (scope `/`, docs/adr/0011). While offline it serves the offline page, and it
 * receives shared content. It caches only the files of the offline page and does not handle other requests.
 */
import { PATHS } from '@stagedoor/contract/addresses.ts';
import { keepShared, sharerOf, wordsOf } from './receive.ts';
import {
  type AskRelease,
  OFFLINE_PAGE,
  OFFLINE_SCRIPT,
  type ReleaseNote,
  SEEN_PREFIX,
  SHARE_PATH,
  SHARED_CACHE,
  SHARED_PARAM,
  SHELL_PREFIX,
  type TakeOver,
} from './shared.ts';

declare const self: ServiceWorkerGlobalScope;
declare const RELEASE: string;
declare const FONTS: readonly string[];

const SHELL = SHELL_PREFIX + RELEASE;
const KEPT: readonly string[] = [OFFLINE_PAGE, OFFLINE_SCRIPT, ...FONTS];
/** Paths of data and files, which are never replaced by the offline page. */
const NO_PAGE = /^\/(?:api|files|assets|fonts|socket\.io|dev|embed|webhooks?)\//;
const LOG_OUT = '/api/auth/logout';
const WHO = '/api/auth/user';
const HOMES = { creator: PATHS.creatorNewPost, customer: PATHS.fanChat } as const;

async function keepShell(): Promise<void> {
  const cache = await caches.open(SHELL);
  await cache.addAll(KEPT.map((path) => new Request(path, { cache: 'reload' })));
  await self.skipWaiting();
}

async function forget(isGone: (name: string) => boolean): Promise<void> {
  const names = await caches.keys();
  await Promise.all(names.filter(isGone).map((name) => caches.delete(name)));
}

/** Takes control of every open page and sends it the release. */
async function begin(): Promise<void> {
  await forget((name) => name.startsWith(SHELL_PREFIX) && name !== SHELL);
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
}

async function kept(path: string): Promise<Response | undefined> {
  return (await caches.open(SHELL)).match(path);
}

async function page(event: FetchEvent): Promise<Response> {
  try {
    const preloaded: unknown = await event.preloadResponse;
    return preloaded instanceof Response ? preloaded : await fetch(event.request);
  } catch (error) {
    const offline = await kept(OFFLINE_PAGE);
    if (offline) return offline;
    throw error;
  }
}

/** Deletes the stored content of all accounts after a logout, even if the page that requested it is already gone. */
async function logOut(request: Request): Promise<Response> {
  const answer = await fetch(request);
  if (answer.ok || answer.status === 401) await forget((name) => name.startsWith(SEEN_PREFIX) || name === SHARED_CACHE);
  return answer;
}

/**
 * Stores shared content for the current account and redirects to the page that shows it. Without an account or a
 * connection nothing is stored.
 */
async function receive(request: Request): Promise<Response> {
  const answer = await fetch(WHO, { credentials: 'same-origin' }).catch(() => undefined);
  const sharer = sharerOf(answer?.ok ? await answer.json() : undefined);
  if (!sharer) {
    await caches.delete(SHARED_CACHE);
    // While offline every page is the offline page.
    return Response.redirect(answer ? PATHS.login : '/', 303);
  }
  const form = await request.formData();
  const files = form.getAll('files').filter((file) => file instanceof File);
  const words = wordsOf(['title', 'text', 'url'].map((name) => form.get(name)));
  const count = await keepShared(files, sharer, caches, Date.now(), words);
  return Response.redirect(`${HOMES[sharer.type]}?${SHARED_PARAM}=${count}`, 303);
}

function isOf<T extends AskRelease | TakeOver>(kind: T['kind'], data: unknown): data is T {
  return typeof data === 'object' && data !== null && 'kind' in data && data.kind === kind;
}

self.addEventListener('install', (event) => event.waitUntil(keepShell()));
self.addEventListener('activate', (event) => event.waitUntil(begin()));
self.addEventListener('message', ({ data, source }) => {
  const note: ReleaseNote = { kind: 'release', release: RELEASE };
  if (isOf<AskRelease>('which', data)) source?.postMessage(note);
  else if (isOf<TakeOver>('take over', data)) void self.skipWaiting();
});
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== self.location.origin) return;
  if (request.method === 'POST') {
    if (pathname === SHARE_PATH) event.respondWith(receive(request));
    else if (pathname === LOG_OUT) event.respondWith(logOut(request));
    return;
  }
  if (request.method !== 'GET') return;
  if (request.mode === 'navigate') {
    if (!NO_PAGE.test(pathname)) event.respondWith(page(event));
  } else if (KEPT.includes(pathname)) event.respondWith(kept(pathname).then((found) => found ?? fetch(request)));
});
