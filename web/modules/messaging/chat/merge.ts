/**
 * A pure reducer that merges events, responses and pages into the state of a conversation. The higher revision of a
 * message wins, removals included, and marks only rise, so neither order nor repetition matters.
 */
import type { ChatSide, Conversation, Message } from '@stagedoor/contract/messaging/messages.ts';
import { isFromSide, type MessagePage, type MessageWindow } from './model.ts';

/** The latest version of a message. Without `message` it was removed. */
type MessageVersion = { revision: number; message?: Message };
type ReadMarks = { delivered: number; read: number };
export type MarkUpdate = { ownerId: string; seq: number; status: Message['status'] };

export type ConversationState = {
  view: Conversation | undefined;
  /** The highest known revision, even if only its number is known. */
  revision: number;
  /** The viewer deleted the conversation up to this `seq`. Later messages bring it back. */
  deletedTo: number;
  /** Messages received one by one, by ID, the latest last. Pages that were requested earlier may not include them. */
  messages: ReadonlyMap<string, MessageVersion>;
  marks: Readonly<Record<string, ReadMarks>>;
};

export type ConversationUpdate =
  | { kind: 'message'; message: Message }
  | { kind: 'removed'; messageId: string; revision: number }
  | ({ kind: 'mark' } & MarkUpdate)
  | { kind: 'page'; page: MessagePage }
  | { kind: 'conversation'; conversation: Conversation; side: ChatSide }
  | { kind: 'revised'; revision: number }
  | { kind: 'deleted'; upTo: number };

export const EMPTY_STATE: ConversationState = {
  view: undefined,
  revision: 0,
  deletedTo: -1,
  messages: new Map(),
  marks: {},
};
/** Limit of individually received messages. Far fewer arrive while a page is loading. */
const MAX_VERSIONS = 500;
const NO_MARK: ReadMarks = { delivered: 0, read: 0 };

function toUserIds({ user, customer }: Conversation, side: ChatSide): { own: string; other: string } {
  return side === 'creator' ? { own: user.id, other: customer.id } : { own: customer.id, other: user.id };
}

function raiseMarks(state: ConversationState, ownerId: string, { delivered, read }: ReadMarks): ConversationState {
  const mark = state.marks[ownerId] ?? NO_MARK;
  if (mark.delivered >= delivered && mark.read >= read) return state;
  const higher = { delivered: Math.max(mark.delivered, delivered), read: Math.max(mark.read, read) };
  return { ...state, marks: { ...state.marks, [ownerId]: higher } };
}

function applyMark(state: ConversationState, { ownerId, seq, status }: MarkUpdate): ConversationState {
  if (status !== 'delivered' && status !== 'read') return state;
  return raiseMarks(state, ownerId, { delivered: seq, read: status === 'read' ? seq : 0 });
}

/** Whether the known version wins. Of equal revisions the later one wins, unless the message was removed. */
function isNewer(state: MessageVersion | undefined, version: MessageVersion): boolean {
  if (!state) return false;
  return state.revision > version.revision || (state.revision === version.revision && !state.message);
}

function applyMessageVersion(state: ConversationState, id: string, version: MessageVersion): ConversationState {
  const current = state.messages.get(id);
  if (isNewer(current, version) || (version.message && version.message.seq <= state.deletedTo)) return state;
  const messages = new Map(state.messages);
  messages.delete(id);
  messages.set(id, version);
  for (const oldest of messages.keys()) {
    if (messages.size <= MAX_VERSIONS) break;
    messages.delete(oldest);
  }
  return { ...state, messages };
}

/** A page also removes every known message within its range that it does not contain. */
function applyPage(state: ConversationState, page: MessagePage): ConversationState {
  const shownIds = new Set<string>(page.messages.map(({ id }) => id));
  const messages = new Map(state.messages);
  for (const [id, { message }] of state.messages)
    if (message && !shownIds.has(id) && message.seq >= page.from && message.seq <= page.knowsTo) messages.delete(id);
  const changed = messages.size < state.messages.size ? { ...state, messages } : state;
  return page.messages.reduce((before, message) => {
    const after = applyMark(before, message);
    return after.messages.has(message.id)
      ? applyMessageVersion(after, message.id, { revision: message.revision, message })
      : after;
  }, changed);
}

function applyView(state: ConversationState, incoming: Conversation, side: ChatSide): ConversationState {
  const { own, other } = toUserIds(incoming, side);
  const after = raiseMarks(
    raiseMarks(state, own, { delivered: incoming.deliveredSeq, read: incoming.readSeq }),
    other,
    {
      delivered: 0,
      read: incoming.ownReadSeq,
    },
  );
  const { view } = state;
  if (view && view.revision > incoming.revision) return after;
  const isCurrentNewer = view?.lastMessage?.id === incoming.lastMessage?.id && isLastNewer(view, incoming);
  return { ...after, view: isCurrentNewer && view ? { ...incoming, lastMessage: view.lastMessage } : incoming };
}

/** Compares the last message, because a purchase changes its revision and not the conversation's. */
function isLastNewer(current: Conversation | undefined, incoming: Conversation): boolean {
  return (current?.lastMessage?.revision ?? 0) > (incoming.lastMessage?.revision ?? 0);
}

function deleteUpTo(state: ConversationState, upTo: number): ConversationState {
  if (upTo <= state.deletedTo) return state;
  const remaining = [...state.messages].filter(([, { message }]) => !message || message.seq > upTo);
  return { ...state, deletedTo: upTo, messages: new Map(remaining) };
}

/** The reducer. Returns the same object when nothing changes. */
export function applyUpdate(state: ConversationState, update: ConversationUpdate): ConversationState {
  switch (update.kind) {
    case 'message': {
      const { message } = update;
      return applyMessageVersion(applyMark(state, message), message.id, { revision: message.revision, message });
    }
    case 'removed':
      return applyMessageVersion(state, update.messageId, { revision: update.revision });
    case 'mark':
      return applyMark(state, update);
    case 'page':
      return applyPage(state, update.page);
    case 'conversation':
      return applyView(state, update.conversation, update.side);
    case 'revised':
      return update.revision > state.revision ? { ...state, revision: update.revision } : state;
    case 'deleted':
      return deleteUpTo(state, update.upTo);
  }
}

const RANK = { failed: 0, sent: 1, delivered: 2, read: 3 } as const;

function getStatus(state: ConversationState, { ownerId, seq, status }: MarkUpdate): Message['status'] {
  const { delivered, read } = state.marks[ownerId] ?? NO_MARK;
  const markedStatus = seq <= read ? 'read' : seq <= delivered ? 'delivered' : status;
  return RANK[markedStatus] > RANK[status] ? markedStatus : status;
}

export function applyState(window: MessageWindow, state: ConversationState): MessageWindow {
  const messages = new Map<string, Message>(window.messages.map((message) => [message.id, message]));
  const from = window.hasOlder ? (window.messages[0]?.seq ?? 0) : 0;
  let { knownTo } = window;
  for (const [id, version] of state.messages) {
    const { message } = version;
    const current = messages.get(id);
    if (!message) messages.delete(id);
    else if (current ? current.revision <= message.revision : isWithin(message, from, window))
      messages.set(id, message);
  }
  const shownMessages = [...messages.values()]
    .filter(({ seq }) => seq > state.deletedTo)
    .toSorted((one, other) => one.seq - other.seq)
    .map((message) => {
      const status = getStatus(state, message);
      return status === message.status ? message : { ...message, status };
    });
  for (const { seq } of shownMessages) if (seq === knownTo + 1 && !window.hasNewer) knownTo = seq;
  const isSame =
    shownMessages.length === window.messages.length && shownMessages.every((one, at) => one === window.messages[at]);
  return isSame && knownTo === window.knownTo ? window : { ...window, messages: shownMessages, knownTo };
}

/** Newer messages are not added to a window on older messages. They load when the user scrolls there. */
function isWithin({ seq }: Message, from: number, { hasNewer, knownTo }: MessageWindow): boolean {
  return seq >= from && (!hasNewer || seq <= knownTo);
}

type LastMessage = NonNullable<Conversation['lastMessage']>;

export function toLastMessage(message: Message): LastMessage {
  const { id, revision, seq, type, text, ownerType, status, createdAt, price, isPurchased, tip, call } = message;
  const { media, documents, pendingMedia, voice } = message;
  const fileCount = media.length + documents.length + pendingMedia + (voice ? 1 : 0);
  return {
    id,
    revision,
    seq,
    type,
    text: text.slice(0, 200),
    ownerType,
    status,
    createdAt,
    price,
    isPurchased,
    fileCount,
    tip,
    call,
  };
}

/** The conversation with all later changes. Undefined when it is unknown or deleted. */
export function toConversation(state: ConversationState, side: ChatSide): Conversation | undefined {
  const { view, marks } = state;
  if (!view || view.lastSeq <= state.deletedTo) return undefined;
  const { own, other } = toUserIds(view, side);
  const newMessages = [...state.messages.values()].flatMap(({ message }) =>
    message && message.seq > view.lastSeq ? [message] : [],
  );
  const newest = newMessages.reduce<Message | undefined>(
    (last, one) => (last && last.seq > one.seq ? last : one),
    undefined,
  );
  const changedLast = view.lastMessage && state.messages.get(view.lastMessage.id)?.message;
  const currentLast =
    changedLast && changedLast.revision > (view.lastMessage?.revision ?? 0)
      ? toLastMessage(changedLast)
      : view.lastMessage;
  const last = newest ? toLastMessage(newest) : currentLast;
  const ownReadSeq = Math.max(view.ownReadSeq, marks[other]?.read ?? 0);
  const isAllRead = ownReadSeq > view.ownReadSeq && ownReadSeq >= (view.lastMessage?.seq ?? 0);
  const arrivedCount = newMessages.filter(({ ownerId, seq }) => ownerId !== own && seq > ownReadSeq).length;
  return {
    ...view,
    lastMessageCreatedAt: newest ? newest.createdAt : view.lastMessageCreatedAt,
    lastMessage: last && {
      ...last,
      status: getStatus(state, { ...last, ownerId: isFromSide(last, side) ? own : other }),
    },
    unreadCount: (isAllRead ? 0 : view.unreadCount) + arrivedCount,
    deliveredSeq: Math.max(view.deliveredSeq, marks[own]?.delivered ?? 0),
    readSeq: Math.max(view.readSeq, marks[own]?.read ?? 0),
    ownReadSeq,
  };
}

export function getLastSeq({ view, messages }: ConversationState): number {
  return Math.max(view?.lastSeq ?? 0, ...[...messages.values()].map(({ message }) => message?.seq ?? 0));
}

/**
 * Whether the conversation must be refetched: a newer revision is known only by number, part of it was read on another
 * device, or a message followed a deletion.
 */
export function isOutdated({ view, revision, deletedTo, messages, marks }: ConversationState, side: ChatSide): boolean {
  if (!view) return false;
  if (view.lastSeq <= deletedTo) return [...messages.values()].some(({ message }) => message !== undefined);
  const read = marks[toUserIds(view, side).other]?.read ?? 0;
  const isPartlyRead = read > view.ownReadSeq && read < (view.lastMessage?.seq ?? 0) && view.unreadCount > 0;
  return view.revision < revision || isPartlyRead;
}
