/** What pages, workers and the offline page must agree on: where things lie on the device, and what they say to each other. */

/** The offline page and what it needs, a cache for each release. */
export const SHELL_PREFIX = 'shell-';
/** What an account saw last, a cache for each account, under its id. */
export const SEEN_PREFIX = 'seen-';
export const SEEN_ENTRY = '/seen.json';
/** What the phone shared and nobody has added or refused yet (shared-store.ts). */
export const SHARED_CACHE = 'shared';
export const SHARE_PATH = '/share';
/** The parameter that tells a page that something shared waits for it. */
export const SHARED_PARAM = 'shared';

export const APP_WORKER = '/app-worker.js';
export const PUSH_WORKER = '/push-worker.js';
/** No page lies below it, so that the worker of pushes controls none. */
export const PUSH_SCOPE = '/push/';
export const OFFLINE_PAGE = '/offline.html';
export const OFFLINE_SCRIPT = '/offline.js';

/** Of the app's worker to pages, as soon as it is theirs: the release that it is of. */
export type ReleaseNote = { kind: 'release'; release: string };
/** Of the worker of pushes to an open page: go there. Answered by whether the page does. */
export type OpenNote = { kind: 'open'; url: string };
/** Of a page to the app's worker. */
export type AskRelease = { kind: 'which' };
/** To one that waits although it asked not to: a browser lets it while the one before is at work, and may not look again by itself. */
export type TakeOver = { kind: 'take over' };

export type SeenPost = { by: string; at: string; words: string; what: string; hash: string | null; ratio: number };
export type SeenMessage = { isMine: boolean; at: string; words: string };
export type SeenConversation = { id: string; name: string; at: string; line: string; messages: readonly SeenMessage[] };
/** Words and the light of pictures: no sums, no addresses of files. */
export type Seen = {
  at: string;
  name: string;
  feed: readonly SeenPost[] | null;
  conversations: readonly SeenConversation[] | null;
};
