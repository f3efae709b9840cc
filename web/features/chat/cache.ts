/**
 * Chat in the app's one cache: what is kept of threads and lists, how it is asked for, and how whatever tells of it is taken in, by
 * the reducer in merge.ts alone. Asking again, as after a lost connection, asks for the newest page and for what may have been bought
 * elsewhere, and joins it to what is there.
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
/** Pages that are asked for again because something in them may have been bought. */
const UNSOLD_PAGES = 4;
const LIST_PAGE = 50;
const THREAD = 'chat-thread';
const LIST = 'chat-list';

const threadKey = (id: string) => [THREAD, id] as const;
const conversationKey = (id: string) => apiQuery(getConversation, { params: { id } }).queryKey;
const listKey = (tab: Tab, search: string) => [LIST, tab, search] as const;
const fetchOptions = (signal: AbortSignal) => (typeof window === 'undefined' ? {} : { signal });

/** A conversation with the viewer's note, as it is known then. */
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

// What is known, beside what is shown of it.

/** The conversations of which something was told. */
const knownIn = new WeakMap<QueryClient, Map<string, Known>>();

function allKnown(client: QueryClient): Map<string, Known> {
  const all = knownIn.get(client) ?? new Map<string, Known>();
  knownIn.set(client, all);
  return all;
}

/** The viewer's side. On the server nobody may be known yet, and nothing is told that would have to be merged. */
function sideOf(client: QueryClient): Side | undefined {
  const viewer = client.getQueryData(viewerQuery().queryKey);
  return viewer && (viewer.type === 'creator' ? 'creator' : 'fan');
}

/** What came with the page itself was shown before anything was told. */
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

/** Takes in facts of a conversation, and shows what they change wherever it is shown. */
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

/** A conversation as the server has it now. */
export async function refreshConversation(client: QueryClient, id: string): Promise<void> {
  await client.fetchQuery({ ...conversationQuery(id), staleTime: 0 });
}

/** The conversations that are being asked for because they are behind. */
const askedFor = new WeakMap<QueryClient, Set<string>>();

/** Asks for a conversation that is behind; once more if the answer is, as that of a question that was on its way already. */
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
  // Whoever takes an answer in is still in its question.
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
  // A search result only changes in place.
  eachList(client, (list, tab, search) =>
    search === '' || list.items.some((shown) => shown.id === id)
      ? withConversation(list, conversation, tab, side)
      : list,
  );
}

/** A message as it was told, into its thread and its conversation. */
export function takeMessage(client: QueryClient, message: Message): void {
  take(client, message.conversationId, [{ kind: 'message', message }]);
}

export function takeRemoved(client: QueryClient, conversationId: string, messageId: string, revision: number): void {
  take(client, conversationId, [{ kind: 'removed', messageId, revision }]);
}

export function takeMark(client: QueryClient, conversationId: string, mark: Marked): void {
  take(client, conversationId, [{ kind: 'mark', ...mark }]);
}

/** Something of a conversation is told with a revision: whoever has a lower one asks for it. */
export function takeRevised(client: QueryClient, id: string, revision: number): void {
  take(client, id, [{ kind: 'revised', revision }]);
}

export function takeConversation(client: QueryClient, conversation: Conversation): void {
  const side = sideOf(client);
  if (side) take(client, conversation.id, [{ kind: 'conversation', conversation, side }]);
}

/** A conversation that the viewer deleted with all up to a `seq`, or else with what is known here. */
export function takeDeleted(client: QueryClient, id: string, lastSeq?: number): void {
  const known = knownOf(client, id, sideOf(client));
  take(client, id, [{ kind: 'deleted', upTo: lastSeq ?? lastSeqOf(known) }]);
  // Told late, it came back since.
  if (knownConversation(client, id)) return;
  client.removeQueries({ queryKey: threadKey(id) });
  client.removeQueries({ queryKey: conversationKey(id) });
}

/** What is known of a conversation, from wherever it is. */
export function knownConversation(client: QueryClient, id: string): Conversation | undefined {
  const side = sideOf(client);
  return side ? conversationOf(knownOf(client, id, side), side) : shownConversation(client, id);
}

/** Shows at once what an answer says of a known conversation, until the server tells it whole. */
export function changeConversation(
  client: QueryClient,
  id: string,
  change: (conversation: Conversation) => Conversation,
): void {
  const { view } = knownOf(client, id, sideOf(client));
  if (view) takeConversation(client, change(view));
}

// Threads.

async function askMessages(client: QueryClient, id: string, range: Range, signal?: AbortSignal): Promise<Page> {
  const answer = await callApi(
    transportOf(client),
    messageList,
    { params: { id }, query: { limit: THREAD_PAGE, ...range } },
    signal ? fetchOptions(signal) : {},
  );
  return pageOf(answer.data, range, answer.nextOffset !== undefined, answer.lastSeq);
}

/** What is locked in a kept thread before a seq, as it is now, with what is around it. What cannot be asked stays as it is. */
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

/** Takes in pages of a thread. */
function takePages(client: QueryClient, id: string, pages: readonly Page[]): Known {
  return take(
    client,
    id,
    pages.map((page) => ({ kind: 'page', page })),
  );
}

/** A thread's window, opened at its newest messages. Live events keep it true; leaving chat makes it stale. */
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

/** Pages into a window that is kept. */
function putPages(
  client: QueryClient,
  id: string,
  pages: readonly Page[],
  join: (window: Window) => Window = (window) => pages.reduce(withPage, window),
): void {
  const known = takePages(client, id, pages);
  client.setQueryData<Window>(threadKey(id), (window) => window && withKnown(join(window), known));
}

/** One page of older messages, put in once `isStill` has resolved. Rejects with the ApiError. */
export async function loadOlder(client: QueryClient, id: string, isStill?: () => Promise<void>): Promise<void> {
  const window = threadOfCache(client, id);
  const first = window?.messages[0];
  if (!window?.hasOlder || !first) return;
  const older = await askMessages(client, id, { before: first.seq });
  await isStill?.();
  putPages(client, id, [older]);
}

/** One page of newer messages, for a window on the past. */
export async function loadNewer(client: QueryClient, id: string): Promise<void> {
  const window = threadOfCache(client, id);
  if (!window?.hasNewer) return;
  putPages(client, id, [await askMessages(client, id, { after: window.knownTo })]);
}

/** Opens the window around one message, unless it is inside already. */
export async function openAround(client: QueryClient, id: string, seq: number): Promise<void> {
  const window = threadOfCache(client, id);
  if (window?.messages.some((message) => message.seq === seq)) return;
  const [older, newer] = await Promise.all([
    askMessages(client, id, { before: seq + 1 }),
    askMessages(client, id, { after: seq }),
  ]);
  putPages(client, id, [older, newer], ({ epoch }) => withPage(opened(older, epoch + 1), newer));
}

/** Back to the newest messages. */
export async function openNewest(client: QueryClient, id: string): Promise<void> {
  const page = await askMessages(client, id, {});
  putPages(client, id, [page], ({ epoch }) => opened(page, epoch + 1));
}

/** Forgets a thread's messages; they are asked for when it is opened again. */
export function dropThread(client: QueryClient, id: string): void {
  client.removeQueries({ queryKey: threadKey(id) });
}

// Lists.

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

/** Takes in a page of conversations; answers how to show one of a list. */
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

/** Every list that is kept, with its tab and search. */
function eachList(client: QueryClient, change: (list: List, tab: Tab, search: string) => List): void {
  for (const [key, list] of client.getQueriesData<List>({ queryKey: [LIST] })) {
    const [, tab, search] = key;
    if (!list || (tab !== 'chat' && tab !== 'unread' && tab !== 'requests') || typeof search !== 'string') continue;
    const changed = change(list, tab, search);
    if (changed !== list) client.setQueryData<List>(key, changed);
  }
}

/** Asks again for what is shown: it was made before the live events began. */
export function catchUp(client: QueryClient): void {
  for (const queryKey of [[THREAD], [LIST]]) void client.refetchQueries({ queryKey, type: 'active' });
}

/** Nobody listens any more: what is kept may be out of date when one comes back. */
export function forgetFreshness(client: QueryClient): void {
  for (const queryKey of [[THREAD], [LIST], apiQuery(getConversation, { params: { id: '' } }).queryKey.slice(0, 1)])
    void client.invalidateQueries({ queryKey, refetchType: 'none' });
}
