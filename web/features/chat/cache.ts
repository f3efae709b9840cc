/**
 * Chat data in the query cache. Every event, response and page is merged by the reducer in merge.ts. A refetch, as
 * after a lost connection, requests the newest page and the pages that may contain purchases from elsewhere, and merges
 * them.
 */
import { conversationList, getConversation, messageList } from '@stagedoor/contract/chat.ts';
import type { Side } from '@stagedoor/contract/messages.ts';
import { BROADCAST_KEY, type Conversation, type Message } from '@stagedoor/contract/messages.ts';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { callApi } from '../../kernel/api.ts';
import { apiQuery, transportOf } from '../../kernel/query.ts';
import { viewerQuery } from '../../kernel/session.ts';
import {
  conversationOf,
  type Fact,
  isBehind,
  type Known,
  lastSeqOf,
  type Marked,
  NOTHING_KNOWN,
  tell,
  withKnown,
} from './merge.ts';
import {
  asKnown,
  isUnsold,
  type List,
  opened,
  type Page,
  pageOf,
  type Range,
  resyncedList,
  type Tab,
  type Window,
  withConversation,
  within,
  withMore,
  withoutConversation,
  withPage,
} from './model.ts';

const THREAD_PAGE = 50;
const UNSOLD_PAGES = 4;
const LIST_PAGE = 50;
const THREAD = 'chat-thread';
const LIST = 'chat-list';

const threadKey = (id: string) => [THREAD, id] as const;
const conversationKey = (id: string) => apiQuery(getConversation, { params: { id } }).queryKey;
const listKey = (tab: Tab, search: string) => [LIST, tab, search] as const;
const fetchOptions = (signal: AbortSignal) => (typeof window === 'undefined' ? {} : { signal });

export const conversationQuery = (id: string) => ({
  ...apiQuery(getConversation, { params: { id } }, (answer, client) => {
    const side = sideOf(client);
    if (!side) return answer;
    const kept = client.getQueryData(conversationKey(id));
    const known = take(client, id, [{ kind: 'conversation', conversation: answer.data, side }]);
    const data = conversationOf(known, side);
    const isLate = known.view !== undefined && known.view.revision > answer.data.revision;
    return data ? { ...(isLate && kept ? kept : answer), data } : answer;
  }),
  staleTime: Number.POSITIVE_INFINITY,
});

// The merged state of each conversation, from which the displayed data is derived.

const knownIn = new WeakMap<QueryClient, Map<string, Known>>();

function allKnown(client: QueryClient): Map<string, Known> {
  const all = knownIn.get(client) ?? new Map<string, Known>();
  knownIn.set(client, all);
  return all;
}

function sideOf(client: QueryClient): Side | undefined {
  const viewer = client.getQueryData(viewerQuery().queryKey);
  return viewer && (viewer.type === 'creator' ? 'creator' : 'fan');
}

function shownConversation(client: QueryClient, id: string): Conversation | undefined {
  const detail = client.getQueryData(conversationKey(id));
  if (detail) return detail.data;
  for (const [, list] of client.getQueriesData<List>({ queryKey: [LIST] })) {
    const found = list?.items.find((conversation) => conversation.id === id);
    if (found) return found;
  }
  return undefined;
}

function knownOf(client: QueryClient, id: string, side: Side | undefined): Known {
  const known = allKnown(client).get(id) ?? NOTHING_KNOWN;
  const conversation = known.view ? undefined : shownConversation(client, id);
  return conversation && side ? tell(known, { kind: 'conversation', conversation, side }) : known;
}

function take(client: QueryClient, id: string, facts: readonly Fact[]): Known {
  const side = sideOf(client);
  const before = knownOf(client, id, side);
  const known = facts.reduce(tell, before);
  if (known === before) return known;
  allKnown(client).set(id, known);
  client.setQueryData<Window>(threadKey(id), (window) => window && withKnown(window, known));
  if (side) show(client, id, known, side);
  if (side && isBehind(known, side)) askSoon(client, id);
  return known;
}

export async function refreshConversation(client: QueryClient, id: string): Promise<void> {
  await client.fetchQuery({ ...conversationQuery(id), staleTime: 0 });
}

const askedFor = new WeakMap<QueryClient, Set<string>>();

/**
 * Refetches an outdated conversation. Repeats once if the response is outdated too, because its request was sent
 * earlier.
 */
function askSoon(client: QueryClient, id: string): void {
  const asked = askedFor.get(client) ?? new Set();
  askedFor.set(client, asked);
  if (asked.has(id)) return;
  asked.add(id);
  const ask = async () => {
    const side = sideOf(client);
    for (const _ of ['first', 'again'])
      if (side && isBehind(knownOf(client, id, side), side)) await refreshConversation(client, id);
  };
  // The caller may run inside a request for the same conversation, so the request starts later.
  setTimeout(() => {
    ask().then(
      () => asked.delete(id),
      () => asked.delete(id),
    );
  });
}

function show(client: QueryClient, id: string, known: Known, side: Side): void {
  const conversation = conversationOf(known, side);
  if (!conversation) {
    if (known.view) eachList(client, (list) => withoutConversation(list, id));
    return;
  }
  client.setQueryData(conversationKey(id), (detail) => detail && { ...detail, data: conversation });
  eachList(client, (list, tab, search) =>
    search === '' || list.items.some((shown) => shown.id === id)
      ? withConversation(list, conversation, tab, side)
      : list,
  );
}

export function takeMessage(client: QueryClient, message: Message): void {
  take(client, message.conversationId, [{ kind: 'message', message }]);
}

export function takeRemoved(client: QueryClient, conversationId: string, messageId: string, revision: number): void {
  take(client, conversationId, [{ kind: 'removed', messageId, revision }]);
}

export function takeMark(client: QueryClient, conversationId: string, mark: Marked): void {
  take(client, conversationId, [{ kind: 'mark', ...mark }]);
}

/** Records a newer revision of a conversation. An older cached copy is refetched. */
export function takeRevised(client: QueryClient, id: string, revision: number): void {
  take(client, id, [{ kind: 'revised', revision }]);
}

export function takeConversation(client: QueryClient, conversation: Conversation): void {
  const side = sideOf(client);
  if (side) take(client, conversation.id, [{ kind: 'conversation', conversation, side }]);
}

/** Records that the viewer deleted a conversation up to `lastSeq`, by default up to the newest known message. */
export function takeDeleted(client: QueryClient, id: string, lastSeq?: number): void {
  const known = knownOf(client, id, sideOf(client));
  take(client, id, [{ kind: 'deleted', upTo: lastSeq ?? lastSeqOf(known) }]);
  // The deletion arrived late and the conversation has returned since.
  if (knownConversation(client, id)) return;
  client.removeQueries({ queryKey: threadKey(id) });
  client.removeQueries({ queryKey: conversationKey(id) });
}

export function knownConversation(client: QueryClient, id: string): Conversation | undefined {
  const side = sideOf(client);
  return side ? conversationOf(knownOf(client, id, side), side) : shownConversation(client, id);
}

/** Shows the change of a response immediately, until the server sends the whole conversation. */
export function changeConversation(
  client: QueryClient,
  id: string,
  change: (conversation: Conversation) => Conversation,
): void {
  const { view } = knownOf(client, id, sideOf(client));
  if (view) takeConversation(client, change(view));
}

async function askMessages(client: QueryClient, id: string, range: Range, signal?: AbortSignal): Promise<Page> {
  const answer = await callApi(
    transportOf(client),
    messageList,
    { params: { id }, query: { limit: THREAD_PAGE, ...range } },
    signal ? fetchOptions(signal) : {},
  );
  return pageOf(answer.data, range, answer.nextOffset !== undefined, answer.lastSeq);
}

async function askUnsold(client: QueryClient, id: string, before: number, signal: AbortSignal): Promise<Page[]> {
  if (id === BROADCAST_KEY) return [];
  const unsold = threadOfCache(client, id)?.messages.filter((message) => message.seq < before && isUnsold(message));
  const pages: Page[] = [];
  let next = unsold?.at(-1);
  while (next && pages.length < UNSOLD_PAGES) {
    const page = await askMessages(client, id, { before: next.seq + 1 }, signal).catch(() => undefined);
    if (!page) break;
    pages.push(page);
    next = unsold?.findLast(({ seq }) => seq < page.from);
  }
  return pages;
}

function takePages(client: QueryClient, id: string, pages: readonly Page[]): Known {
  return take(
    client,
    id,
    pages.map((page) => ({ kind: 'page', page })),
  );
}

export function threadQuery(id: string) {
  return queryOptions({
    queryKey: threadKey(id),
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ client, signal }): Promise<Window> => {
      const page = await askMessages(client, id, {}, signal);
      const unsold = await askUnsold(client, id, page.from, signal);
      const known = takePages(client, id, [page, ...unsold]);
      const held = threadOfCache(client, id);
      const joined = held ? withPage(held, page) : opened(page);
      return withKnown(
        unsold.reduce((window, told) => withPage(window, within(told, window)), joined),
        known,
      );
    },
  });
}

export function threadOfCache(client: QueryClient, id: string): Window | undefined {
  return client.getQueryData<Window>(threadKey(id));
}

function putPages(
  client: QueryClient,
  id: string,
  pages: readonly Page[],
  join: (window: Window) => Window = (window) => pages.reduce(withPage, window),
): void {
  const known = takePages(client, id, pages);
  client.setQueryData<Window>(threadKey(id), (window) => window && withKnown(join(window), known));
}

/** Loads one page of older messages and inserts it after `isStill` has resolved. Rejects with the ApiError. */
export async function loadOlder(client: QueryClient, id: string, isStill?: () => Promise<void>): Promise<void> {
  const window = threadOfCache(client, id);
  const first = window?.messages[0];
  if (!window?.hasOlder || !first) return;
  const older = await askMessages(client, id, { before: first.seq });
  await isStill?.();
  putPages(client, id, [older]);
}

export async function loadNewer(client: QueryClient, id: string): Promise<void> {
  const window = threadOfCache(client, id);
  if (!window?.hasNewer) return;
  putPages(client, id, [await askMessages(client, id, { after: window.knownTo })]);
}

export async function openAround(client: QueryClient, id: string, seq: number): Promise<void> {
  const window = threadOfCache(client, id);
  if (window?.messages.some((message) => message.seq === seq)) return;
  const [older, newer] = await Promise.all([
    askMessages(client, id, { before: seq + 1 }),
    askMessages(client, id, { after: seq }),
  ]);
  putPages(client, id, [older, newer], ({ epoch }) => withPage(opened(older, epoch + 1), newer));
}

export async function openNewest(client: QueryClient, id: string): Promise<void> {
  const page = await askMessages(client, id, {});
  putPages(client, id, [page], ({ epoch }) => opened(page, epoch + 1));
}

export function dropThread(client: QueryClient, id: string): void {
  client.removeQueries({ queryKey: threadKey(id) });
}

export function listQuery(tab: Tab, search = '') {
  return queryOptions({
    queryKey: listKey(tab, search),
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ client, signal }): Promise<List> => {
      const before = new Map(allKnown(client));
      const query = { limit: LIST_PAGE, tab, ...(search && { search }) };
      const page = await callApi(transportOf(client), conversationList, { query }, fetchOptions(signal));
      const held = client.getQueryData<List>(listKey(tab, search));
      const joined = held
        ? resyncedList(held, page.data, page.nextOffset)
        : { items: page.data, nextOffset: page.nextOffset };
      const side = sideOf(client);
      if (!side) return joined;
      const since = [...allKnown(client)].flatMap(([id, known]) =>
        before.get(id) === known ? [] : (conversationOf(known, side) ?? []),
      );
      const shownOf = takeList(client, page.data, side);
      return asKnown(joined, shownOf, search === '' ? since : [], tab, side);
    },
  });
}

function takeList(client: QueryClient, page: readonly Conversation[], side: Side) {
  for (const conversation of page) {
    const { id } = conversation;
    const before = knownOf(client, id, side);
    const known = tell(before, { kind: 'conversation', conversation, side });
    allKnown(client).set(id, known);
    if (before.view && before.view.revision !== known.view?.revision) show(client, id, known, side);
    if (isBehind(known, side)) askSoon(client, id);
  }
  return ({ id }: Conversation) => conversationOf(knownOf(client, id, side), side);
}

export async function loadMore(client: QueryClient, tab: Tab, search: string): Promise<void> {
  const list = client.getQueryData<List>(listKey(tab, search));
  const side = sideOf(client);
  if (list?.nextOffset === undefined || !side) return;
  const query = { limit: LIST_PAGE, tab, offset: list.nextOffset, ...(search && { search }) };
  const page = await callApi(transportOf(client), conversationList, { query });
  const shownOf = takeList(client, page.data, side);
  const more = page.data.flatMap((conversation) => shownOf(conversation) ?? []);
  client.setQueryData<List>(listKey(tab, search), (now) => now && withMore(now, more, page.nextOffset));
}

function eachList(client: QueryClient, change: (list: List, tab: Tab, search: string) => List): void {
  for (const [key, list] of client.getQueriesData<List>({ queryKey: [LIST] })) {
    const [, tab, search] = key;
    if (!list || (tab !== 'chat' && tab !== 'unread' && tab !== 'requests') || typeof search !== 'string') continue;
    const changed = change(list, tab, search);
    if (changed !== list) client.setQueryData<List>(key, changed);
  }
}

export function catchUp(client: QueryClient): void {
  for (const queryKey of [[THREAD], [LIST]]) void client.refetchQueries({ queryKey, type: 'active' });
}

/** Marks the cached chat data as stale, because live events stop when chat is left. */
export function forgetFreshness(client: QueryClient): void {
  for (const queryKey of [[THREAD], [LIST], apiQuery(getConversation, { params: { id: '' } }).queryKey.slice(0, 1)])
    void client.invalidateQueries({ queryKey, refetchType: 'none' });
}
