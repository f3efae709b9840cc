/** Constants and message types that pages, workers and the offline page share. */

/** The prefix of the caches with the offline page, one per release. */
export const SHELL_PREFIX = 'shell-';
/** The prefix of the caches with stored content, one per account id. */
export const SEEN_PREFIX = 'seen-';
export const SEEN_ENTRY = '/seen.json';
/** Shared content that was not added or dismissed yet (shared-store.ts). */
export const SHARED_CACHE = 'shared';
export const SHARE_PATH = '/share';
export const SHARED_PARAM = 'shared';

export const APP_WORKER = '/app-worker.js';
export const PUSH_WORKER = '/push-worker.js';
/** No page is below this scope, so the push worker controls none. */
export const PUSH_SCOPE = '/push/';
export const OFFLINE_PAGE = '/offline.html';
export const OFFLINE_SCRIPT = '/offline.js';

/** From the app’s worker to a page: the release of the worker. */
export type ReleaseNote = { kind: 'release'; release: string };
/** From the push worker to an open page: open this address. The page responds whether it does. */
export type OpenNote = { kind: 'open'; url: string };
/** From a page to the app's worker: requests its release. */
export type ReleaseRequest = { kind: 'which' };
/**
 * Makes a waiting worker take over. A browser may delay `skipWaiting` while the earlier worker is busy, and may not
 * retry by itself.
 */
export type TakeOverRequest = { kind: 'take over' };

export type SeenPost = {
  author: string;
  at: string;
  text: string;
  summary: string;
  hash: string | null;
  ratio: number;
};
export type SeenMessage = {
  isMine: boolean;
  at: string;
  text: string;
  /** A message that waits on this device until it can be sent, or that was refused. */
  pending?: 'waiting' | 'failed';
};
export type SeenConversation = {
  id: string;
  name: string;
  at: string;
  preview: string;
  messages: readonly SeenMessage[];
};
/** Text and blurred placeholders only. It contains no amounts and no file addresses. */
export type SeenContent = {
  at: string;
  name: string;
  feed: readonly SeenPost[] | null;
  conversations: readonly SeenConversation[] | null;
};
