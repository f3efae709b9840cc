/**
 * Chat data in the query cache. Every event, response and page is merged by the reducer in merge.ts. A refetch, as
 * after a lost connection, requests the newest page and the pages that may contain purchases from elsewhere, and merges
 * them.
 */
import { getConversation, getConversationList, getMessageList } from '@stagedoor/contract/messaging/chat.ts';
import type { ChatSide } from '@stagedoor/contract/messaging/messages.ts';
import { BROADCAST_KEY, type Conversation, type Message } from '@stagedoor/contract/messaging/messages.ts';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { callApi } from '../../../platform/api.ts';
import { apiQuery, getTransport } from '../../../platform/query.ts';
import { viewerQuery } from '../../../platform/session.ts';
import {
  applyState,
  applyUpdate,
  type ConversationState,
  type ConversationUpdate,
  EMPTY_STATE,
  getLastSeq,
  isOutdated,
  type MarkUpdate,
  toConversation,
} from './merge.ts';
import {
  appendConversations,
  applyKnownChanges,
  type ChatTab,
  type ConversationListData,
  clipPage,
  isLockedForViewer,
  type MessagePage,
  type MessageRange,
  type MessageWindow,
  mergeFirstPage,
  mergePage,
  removeConversation,
  toMessagePage,
  toWindow,
  upsertConversation,
} from './model.ts';

const THREAD_PAGE = 50;
const LOCKED_PAGES_MAX = 4;
const LIST_PAGE = 50;
const THREAD_KEY = 'chat-thread';
const LIST_KEY = 'chat-list';

const threadKey = (id: string) => [THREAD_KEY, id] as const;
const conversationKey = (id: string) => apiQuery(getConversation, { params: { id } }).queryKey;
const listKey = (tab: ChatTab, search: string) => [LIST_KEY, tab, search] as const;
/** Events update the data, and responses are merged with them. */
const LIVE_OPTIONS = { staleTime: Number.POSITIVE_INFINITY, meta: { mergesEvents: true } };
const fetchOptions = (signal: AbortSignal) => (typeof window === 'undefined' ? {} : { signal });

export const conversationQuery = (id: string) => ({
  ...apiQuery(getConversation, { params: { id } }, (response, client) => {
    const side = findSide(client);
    if (!side) return response;
    const cached = client.getQueryData(conversationKey(id));
    const state = applyUpdates(client, id, [{ kind: 'conversation', conversation: response.data, side }]);
    const data = toConversation(state, side);
    const isOlder = state.view !== undefined && state.view.revision > response.data.revision;
    return data ? { ...(isOlder && cached ? cached : response), data } : response;
  }),
  ...LIVE_OPTIONS,
});

// The merged state of each conversation, from which the displayed data is derived.

const statesByClient = new WeakMap<QueryClient, Map<string, ConversationState>>();

function getStates(client: QueryClient): Map<string, ConversationState> {
  const all = statesByClient.get(client) ?? new Map<string, ConversationState>();
  statesByClient.set(client, all);
  return all;
}

function findSide(client: QueryClient): ChatSide | undefined {
  const viewer = client.getQueryData(viewerQuery().queryKey);
  return viewer && (viewer.type === 'creator' ? 'creator' : 'fan');
}

function findCachedConversation(client: QueryClient, id: string): Conversation | undefined {
  const detail = client.getQueryData(conversationKey(id));
  if (detail) return detail.data;
  for (const [, list] of client.getQueriesData<ConversationListData>({ queryKey: [LIST_KEY] })) {
    const cachedConversation = list?.items.find((conversation) => conversation.id === id);
    if (cachedConversation) return cachedConversation;
  }
  return undefined;
}

function getState(client: QueryClient, id: string, side: ChatSide | undefined): ConversationState {
  const state = getStates(client).get(id) ?? EMPTY_STATE;
  const conversation = state.view ? undefined : findCachedConversation(client, id);
  return conversation && side ? applyUpdate(state, { kind: 'conversation', conversation, side }) : state;
}

function applyUpdates(client: QueryClient, id: string, updates: readonly ConversationUpdate[]): ConversationState {
  const side = findSide(client);
  const before = getState(client, id, side);
  const state = updates.reduce(applyUpdate, before);
  if (state === before) return state;
  getStates(client).set(id, state);
  client.setQueryData<MessageWindow>(threadKey(id), (window) => window && applyState(window, state));
  if (side) writeConversation(client, id, state, side);
  if (side && isOutdated(state, side)) scheduleRefetch(client, id);
  return state;
}

export async function refreshConversation(client: QueryClient, id: string): Promise<void> {
  await client.fetchQuery({ ...conversationQuery(id), staleTime: 0 });
}

const pendingRefetches = new WeakMap<QueryClient, Set<string>>();

/**
 * Refetches an outdated conversation. Repeats once if the response is outdated too, because its request was sent
 * earlier.
 */
function scheduleRefetch(client: QueryClient, id: string): void {
  const pending = pendingRefetches.get(client) ?? new Set();
  pendingRefetches.set(client, pending);
  if (pending.has(id)) return;
  pending.add(id);
  const refetch = async () => {
    const side = findSide(client);
    for (const _ of ['first', 'again'])
      if (side && isOutdated(getState(client, id, side), side)) await refreshConversation(client, id);
  };
  // The caller may run inside a request for the same conversation, so the request starts later.
  setTimeout(() => {
    refetch().then(
      () => pending.delete(id),
      () => pending.delete(id),
    );
  });
}

function writeConversation(client: QueryClient, id: string, state: ConversationState, side: ChatSide): void {
  const conversation = toConversation(state, side);
  if (!conversation) {
    if (state.view) updateLists(client, (list) => removeConversation(list, id));
    return;
  }
  client.setQueryData(conversationKey(id), (detail) => detail && { ...detail, data: conversation });
  updateLists(client, (list, tab, search) =>
    search === '' || list.items.some((listed) => listed.id === id)
      ? upsertConversation(list, conversation, tab, side)
      : list,
  );
}

export function applyMessage(client: QueryClient, message: Message): void {
  applyUpdates(client, message.conversationId, [{ kind: 'message', message }]);
}

export function applyRemoval(client: QueryClient, conversationId: string, messageId: string, revision: number): void {
  applyUpdates(client, conversationId, [{ kind: 'removed', messageId, revision }]);
}

export function applyMark(client: QueryClient, conversationId: string, mark: MarkUpdate): void {
  applyUpdates(client, conversationId, [{ kind: 'mark', ...mark }]);
}

/** Records a newer revision of a conversation. An older cached copy is refetched. */
export function applyRevision(client: QueryClient, id: string, revision: number): void {
  applyUpdates(client, id, [{ kind: 'revised', revision }]);
}

export function applyConversation(client: QueryClient, conversation: Conversation): void {
  const side = findSide(client);
  if (side) applyUpdates(client, conversation.id, [{ kind: 'conversation', conversation, side }]);
}

/** Records that the viewer deleted a conversation up to `lastSeq`, by default up to the newest known message. */
export function applyDeletion(client: QueryClient, id: string, lastSeq?: number): void {
  const state = getState(client, id, findSide(client));
  applyUpdates(client, id, [{ kind: 'deleted', upTo: lastSeq ?? getLastSeq(state) }]);
  // The deletion arrived late and the conversation has returned since.
  if (findKnownConversation(client, id)) return;
  client.removeQueries({ queryKey: threadKey(id) });
  client.removeQueries({ queryKey: conversationKey(id) });
}

export function findKnownConversation(client: QueryClient, id: string): Conversation | undefined {
  const side = findSide(client);
  return side ? toConversation(getState(client, id, side), side) : findCachedConversation(client, id);
}

/** Shows the change of a response immediately, until the server sends the whole conversation. */
export function updateConversation(
  client: QueryClient,
  id: string,
  change: (conversation: Conversation) => Conversation,
): void {
  const { view } = getState(client, id, findSide(client));
  if (view) applyConversation(client, change(view));
}

async function fetchMessages(
  client: QueryClient,
  id: string,
  range: MessageRange,
  signal?: AbortSignal,
): Promise<MessagePage> {
  const response = await callApi(
    getTransport(client),
    getMessageList,
    { params: { id }, query: { limit: THREAD_PAGE, ...range } },
    signal ? fetchOptions(signal) : {},
  );
  return toMessagePage(response.data, range, response.nextOffset !== undefined, response.lastSeq);
}

async function fetchLockedPages(
  client: QueryClient,
  id: string,
  before: number,
  signal: AbortSignal,
): Promise<MessagePage[]> {
  if (id === BROADCAST_KEY) return [];
  const locked = findThread(client, id)?.messages.filter(
    (message) => message.seq < before && isLockedForViewer(message),
  );
  const pages: MessagePage[] = [];
  let next = locked?.at(-1);
  while (next && pages.length < LOCKED_PAGES_MAX) {
    const page = await fetchMessages(client, id, { before: next.seq + 1 }, signal).catch(() => undefined);
    if (!page) break;
    pages.push(page);
    next = locked?.findLast(({ seq }) => seq < page.from);
  }
  return pages;
}

function applyPages(client: QueryClient, id: string, pages: readonly MessagePage[]): ConversationState {
  return applyUpdates(
    client,
    id,
    pages.map((page) => ({ kind: 'page', page })),
  );
}

export function threadQuery(id: string) {
  return queryOptions({
    queryKey: threadKey(id),
    ...LIVE_OPTIONS,
    queryFn: async ({ client, signal }): Promise<MessageWindow> => {
      const page = await fetchMessages(client, id, {}, signal);
      const locked = await fetchLockedPages(client, id, page.from, signal);
      const state = applyPages(client, id, [page, ...locked]);
      const cached = findThread(client, id);
      const merged = cached ? mergePage(cached, page) : toWindow(page);
      return applyState(
        locked.reduce((window, lockedPage) => mergePage(window, clipPage(lockedPage, window)), merged),
        state,
      );
    },
  });
}

export function findThread(client: QueryClient, id: string): MessageWindow | undefined {
  return client.getQueryData<MessageWindow>(threadKey(id));
}

function cachePages(
  client: QueryClient,
  id: string,
  pages: readonly MessagePage[],
  mergePages: (window: MessageWindow) => MessageWindow = (window) => pages.reduce(mergePage, window),
): void {
  const state = applyPages(client, id, pages);
  client.setQueryData<MessageWindow>(threadKey(id), (window) => window && applyState(mergePages(window), state));
}

/** Loads one page of older messages and inserts it after `beforeInsert` has resolved. Rejects with the ApiError. */
export async function loadOlder(client: QueryClient, id: string, beforeInsert?: () => Promise<void>): Promise<void> {
  const window = findThread(client, id);
  const first = window?.messages[0];
  if (!window?.hasOlder || !first) return;
  const older = await fetchMessages(client, id, { before: first.seq });
  await beforeInsert?.();
  cachePages(client, id, [older]);
}

export async function loadNewer(client: QueryClient, id: string): Promise<void> {
  const window = findThread(client, id);
  if (!window?.hasNewer) return;
  cachePages(client, id, [await fetchMessages(client, id, { after: window.knownTo })]);
}

export async function openAround(client: QueryClient, id: string, seq: number): Promise<void> {
  const window = findThread(client, id);
  if (window?.messages.some((message) => message.seq === seq)) return;
  const [older, newer] = await Promise.all([
    fetchMessages(client, id, { before: seq + 1 }),
    fetchMessages(client, id, { after: seq }),
  ]);
  cachePages(client, id, [older, newer], ({ epoch }) => mergePage(toWindow(older, epoch + 1), newer));
}

export async function openNewest(client: QueryClient, id: string): Promise<void> {
  const page = await fetchMessages(client, id, {});
  cachePages(client, id, [page], ({ epoch }) => toWindow(page, epoch + 1));
}

export function dropThread(client: QueryClient, id: string): void {
  client.removeQueries({ queryKey: threadKey(id) });
}

export function conversationListQuery(tab: ChatTab, search = '') {
  return queryOptions({
    queryKey: listKey(tab, search),
    ...LIVE_OPTIONS,
    queryFn: async ({ client, signal }): Promise<ConversationListData> => {
      const before = new Map(getStates(client));
      const query = { limit: LIST_PAGE, tab, ...(search && { search }) };
      const page = await callApi(getTransport(client), getConversationList, { query }, fetchOptions(signal));
      const cached = client.getQueryData<ConversationListData>(listKey(tab, search));
      const merged = cached
        ? mergeFirstPage(cached, page.data, page.nextOffset)
        : { items: page.data, nextOffset: page.nextOffset };
      const side = findSide(client);
      if (!side) return merged;
      const changedSince = [...getStates(client)].flatMap(([id, state]) =>
        before.get(id) === state ? [] : (toConversation(state, side) ?? []),
      );
      const findCurrent = applyListPage(client, page.data, side);
      return applyKnownChanges(merged, findCurrent, search === '' ? changedSince : [], tab, side);
    },
  });
}

function applyListPage(client: QueryClient, page: readonly Conversation[], side: ChatSide) {
  for (const conversation of page) {
    const { id } = conversation;
    const before = getState(client, id, side);
    const state = applyUpdate(before, { kind: 'conversation', conversation, side });
    getStates(client).set(id, state);
    if (before.view && before.view.revision !== state.view?.revision) writeConversation(client, id, state, side);
    if (isOutdated(state, side)) scheduleRefetch(client, id);
  }
  return ({ id }: Conversation) => toConversation(getState(client, id, side), side);
}

export async function loadMore(client: QueryClient, tab: ChatTab, search: string): Promise<void> {
  const list = client.getQueryData<ConversationListData>(listKey(tab, search));
  const side = findSide(client);
  if (list?.nextOffset === undefined || !side) return;
  const query = { limit: LIST_PAGE, tab, offset: list.nextOffset, ...(search && { search }) };
  const page = await callApi(getTransport(client), getConversationList, { query });
  const findCurrent = applyListPage(client, page.data, side);
  const more = page.data.flatMap((conversation) => findCurrent(conversation) ?? []);
  client.setQueryData<ConversationListData>(
    listKey(tab, search),
    (now) => now && appendConversations(now, more, page.nextOffset),
  );
}

function updateLists(
  client: QueryClient,
  change: (list: ConversationListData, tab: ChatTab, search: string) => ConversationListData,
): void {
  for (const [key, list] of client.getQueriesData<ConversationListData>({ queryKey: [LIST_KEY] })) {
    const [, tab, search] = key;
    if (!list || (tab !== 'chat' && tab !== 'unread' && tab !== 'requests') || typeof search !== 'string') continue;
    const updated = change(list, tab, search);
    if (updated !== list) client.setQueryData<ConversationListData>(key, updated);
  }
}

export function refetchChat(client: QueryClient): void {
  for (const queryKey of [[THREAD_KEY], [LIST_KEY]]) void client.refetchQueries({ queryKey, type: 'active' });
}

/** Marks the cached chat data as stale, because live events stop when chat is left. */
export function invalidateChat(client: QueryClient): void {
  for (const queryKey of [
    [THREAD_KEY],
    [LIST_KEY],
    apiQuery(getConversation, { params: { id: '' } }).queryKey.slice(0, 1),
  ])
    void client.invalidateQueries({ queryKey, refetchType: 'none' });
}
