/**
 * The rules of what is kept to be shown: a window on a conversation's messages, and lists of conversations. Pure: what is kept plus
 * a page equals what a fresh fetch would give. What single facts do to it is in merge.ts.
 */
import type { Conversation, Message, Side } from '@stagedoor/contract/messages.ts';

/** A run of messages without a gap, ascending by `seq`. */
export type Window = {
  messages: readonly Message[];
  hasOlder: boolean;
  /** There are newer ones than the last: the window was opened around an older message. */
  hasNewer: boolean;
  /** Up to this `seq` nothing is missing in it. What was told live may lie beyond, after something that was not heard. */
  knownTo: number;
  /** Rises when the window is another one, not a grown one. */
  epoch: number;
};

/** A page of a thread, ascending: all there is from one `seq` to another. */
export type Page = {
  messages: readonly Message[];
  /** 0: from the beginning. */
  from: number;
  knowsTo: number;
  /** It reached the end. What lies beyond `knowsTo` may have come since. */
  isNewest: boolean;
};

export type Range = { before?: number; after?: number };

/** What an answer to a question for a range of messages tells. */
export function pageOf(answered: readonly Message[], range: Range, hasMore: boolean, lastSeq: number): Page {
  const { before = Number.POSITIVE_INFINITY, after } = range;
  const messages = answered.toSorted((one, other) => one.seq - other.seq);
  const [first, last] = [messages[0]?.seq ?? 0, messages.at(-1)?.seq ?? 0];
  const isNewest = after === undefined ? before === Number.POSITIVE_INFINITY : !hasMore;
  return {
    messages,
    from: after === undefined ? (hasMore ? first : 0) : after + 1,
    knowsTo: after !== undefined && hasMore ? last : Math.min(before - 1, Math.max(last, lastSeq)),
    isNewest,
  };
}

/** A window that has what a page has. */
export function opened({ messages, from, knowsTo, isNewest }: Page, epoch = 0): Window {
  return { messages, hasOlder: from > 0, hasNewer: !isNewest, knownTo: knowsTo, epoch };
}

function fromOf({ hasOlder, messages }: Window): number {
  return hasOlder ? (messages[0]?.seq ?? 0) : 0;
}

/**
 * The window with a page of its thread: what came since is there, what changed is changed, what was taken back is gone. The newest
 * page begins another window where it does not reach the end of this one; any other that does not reach it changes nothing.
 */
export function withPage(window: Window, page: Page): Window {
  const from = fromOf(window);
  const isBeyond = page.from > window.knownTo + 1;
  if (isBeyond && page.isNewest && !window.hasNewer) return opened(page, window.epoch + 1);
  if (isBeyond || page.knowsTo < from - 1) return window;
  const kept = new Map(window.messages.map((message) => [message.id, message]));
  const told = page.messages.map((message) => {
    const known = kept.get(message.id);
    return known && known.revision > message.revision ? known : message;
  });
  return {
    ...window,
    messages: [
      ...window.messages.filter(({ seq }) => seq < page.from),
      ...told,
      ...window.messages.filter(({ seq }) => seq > page.knowsTo),
    ],
    hasOlder: page.from <= from ? page.from > 0 : window.hasOlder,
    hasNewer: window.hasNewer && !(page.isNewest && page.knowsTo >= window.knownTo),
    knownTo: Math.max(window.knownTo, page.knowsTo),
  };
}

/** The part of a page that lies in a window. */
export function within(page: Page, window: Window): Page {
  const from = Math.max(page.from, fromOf(window));
  return { ...page, from, messages: page.messages.filter(({ seq }) => seq >= from) };
}

/** Locked to its receiver as far as is known here; it may have been bought on another device. */
export function isUnsold({ ownerType, price, isPurchased, isRemoved }: Message): boolean {
  return ownerType === 'creator' && price > 0 && !isPurchased && !isRemoved;
}

// Conversations.

export type Tab = 'chat' | 'unread' | 'requests';
export type List = { items: readonly Conversation[]; nextOffset: string | undefined };

export function otherOf(conversation: Conversation, side: Side) {
  return side === 'creator' ? { ...conversation.customer, isVerified: false } : conversation.user;
}

/** Whether that side wrote it. */
export function isFrom({ ownerType }: Pick<Message, 'ownerType'>, side: Side): boolean {
  return (ownerType === 'creator') === (side === 'creator');
}

export function isMutedBy(conversation: Conversation, side: Side): boolean {
  return side === 'creator' ? conversation.isMutedCreator : conversation.isMutedCustomer;
}

/** Whether a conversation is in the list of that tab. What one has just read stays in `unread` until one looks again. */
export function belongs(conversation: Conversation, tab: Tab, side: Side): boolean {
  const isRequest = side === 'creator' && conversation.info.request === 'requested';
  if (tab === 'requests') return isRequest;
  if (isRequest) return false;
  return tab === 'chat' || conversation.unreadCount > 0;
}

const activityOf = (conversation: Conversation) => conversation.lastMessageCreatedAt ?? '';

/** A conversation in its place by activity, once; taken out when it does not belong there any more. */
export function withConversation(list: List, conversation: Conversation, tab: Tab, side: Side): List {
  const isShown = list.items.some(({ id }) => id === conversation.id);
  const others = list.items.filter(({ id }) => id !== conversation.id);
  const stays =
    belongs(conversation, tab, side) || (isShown && tab === 'unread' && belongs(conversation, 'chat', side));
  if (!stays) return { ...list, items: others };
  const at = others.findIndex((other) => activityOf(other) < activityOf(conversation));
  // Older than everything kept, and there is more: it comes with its own page.
  if (at === -1 && list.nextOffset !== undefined) return { ...list, items: others };
  const place = at === -1 ? others.length : at;
  return { ...list, items: [...others.slice(0, place), conversation, ...others.slice(place)] };
}

export function withoutConversation(list: List, id: string): List {
  return { ...list, items: list.items.filter((conversation) => conversation.id !== id) };
}

/** More conversations at the end of the list. */
export function withMore(list: List, more: readonly Conversation[], nextOffset: string | undefined): List {
  const known = new Set(list.items.map(({ id }) => id));
  return { items: [...list.items, ...more.filter(({ id }) => !known.has(id))], nextOffset };
}

/** The list after its first page was asked for again. A page that does not reach what is kept begins a new list. */
export function resyncedList(list: List, page: readonly Conversation[], nextOffset: string | undefined): List {
  const boundary = page.at(-1);
  if (!boundary || nextOffset === undefined) return { items: page, nextOffset };
  const kept = new Map(list.items.map((conversation) => [conversation.id, conversation]));
  const reaches = page.some((each) => {
    const known = kept.get(each.id);
    return known !== undefined && activityOf(known) === activityOf(each);
  });
  if (!reaches) return { items: page, nextOffset };
  const fresh = new Set(page.map(({ id }) => id));
  const tail = list.items.filter((each) => !fresh.has(each.id) && activityOf(each) < activityOf(boundary));
  return { items: [...page, ...tail], nextOffset: tail.length > 0 ? list.nextOffset : nextOffset };
}

/**
 * A list as its page tells it, with what is known besides: each conversation as `shownOf` has it, in its place by that, and those
 * that were told of since the page was asked for, which it may not have.
 */
export function asKnown(
  list: List,
  shownOf: (conversation: Conversation) => Conversation | undefined,
  since: readonly Conversation[],
  tab: Tab,
  side: Side,
): List {
  const moved: Conversation[] = [];
  const items = list.items.flatMap((told) => {
    const shown = shownOf(told);
    if (!shown) return [];
    if (activityOf(shown) === activityOf(told) && belongs(shown, tab, side)) return [shown];
    moved.push(shown);
    return [];
  });
  return [...moved, ...since].reduce<List>((known, each) => withConversation(known, each, tab, side), {
    ...list,
    items,
  });
}

/** Whether something stands in a thread that this person paid for, or may look at once. */
export function hasPaidFor(messages: readonly Message[], viewerId: string): boolean {
  return messages.some(
    ({ ownerId, isPurchased, isViewOnce, isRemoved }) =>
      ownerId !== viewerId && !isRemoved && (isPurchased || isViewOnce),
  );
}
