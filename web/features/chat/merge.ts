/**
 * A pure reducer that merges events, responses and pages into the state of a conversation. The higher revision of a
 * message wins, removals included, and marks only rise, so neither order nor repetition matters.
 */
import type { Conversation, Message, Side } from '@stagedoor/contract/messages.ts';
import { isFrom, type Page, type Window } from './model.ts';

/** The latest version of a message. Without `message` it was removed. */
type Told = { revision: number; message?: Message };
type Mark = { delivered: number; read: number };
export type Marked = { ownerId: string; seq: number; status: Message['status'] };

export type Known = {
  view: Conversation | undefined;
  /** The highest known revision, even if only its number is known. */
  revision: number;
  /** The viewer deleted the conversation up to this `seq`. Later messages bring it back. */
  deletedTo: number;
  /** Messages received one by one, by ID, the latest last. Pages that were requested earlier may not include them. */
  messages: ReadonlyMap<string, Told>;
  marks: Readonly<Record<string, Mark>>;
};

export type Fact =
  | { kind: 'message'; message: Message }
  | { kind: 'removed'; messageId: string; revision: number }
  | ({ kind: 'mark' } & Marked)
  | { kind: 'page'; page: Page }
  | { kind: 'conversation'; conversation: Conversation; side: Side }
  | { kind: 'revised'; revision: number }
  | { kind: 'deleted'; upTo: number };

export const NOTHING_KNOWN: Known = { view: undefined, revision: 0, deletedTo: -1, messages: new Map(), marks: {} };
/** Limit of individually received messages. Far fewer arrive while a page is loading. */
const KEPT = 500;
const NO_MARK: Mark = { delivered: 0, read: 0 };

function sidesOf({ user, customer }: Conversation, side: Side): { own: string; other: string } {
  return side === 'creator' ? { own: user.id, other: customer.id } : { own: customer.id, other: user.id };
}

function raised(known: Known, ownerId: string, { delivered, read }: Mark): Known {
  const mark = known.marks[ownerId] ?? NO_MARK;
  if (mark.delivered >= delivered && mark.read >= read) return known;
  const higher = { delivered: Math.max(mark.delivered, delivered), read: Math.max(mark.read, read) };
  return { ...known, marks: { ...known.marks, [ownerId]: higher } };
}

function marked(known: Known, { ownerId, seq, status }: Marked): Known {
  if (status !== 'delivered' && status !== 'read') return known;
  return raised(known, ownerId, { delivered: seq, read: status === 'read' ? seq : 0 });
}

/** Whether the known version wins. Of equal revisions the later one wins, unless the message was removed. */
function outdoes(known: Told | undefined, told: Told): boolean {
  if (!known) return false;
  return known.revision > told.revision || (known.revision === told.revision && !known.message);
}

function toldMessage(known: Known, id: string, told: Told): Known {
  const kept = known.messages.get(id);
  if (outdoes(kept, told) || (told.message && told.message.seq <= known.deletedTo)) return known;
  const messages = new Map(known.messages);
  messages.delete(id);
  messages.set(id, told);
  for (const oldest of messages.keys()) {
    if (messages.size <= KEPT) break;
    messages.delete(oldest);
  }
  return { ...known, messages };
}

/** A page also removes every known message within its range that it does not contain. */
function toldPage(known: Known, page: Page): Known {
  const shown = new Set<string>(page.messages.map(({ id }) => id));
  const messages = new Map(known.messages);
  for (const [id, { message }] of known.messages)
    if (message && !shown.has(id) && message.seq >= page.from && message.seq <= page.knowsTo) messages.delete(id);
  const changed = messages.size < known.messages.size ? { ...known, messages } : known;
  return page.messages.reduce((before, message) => {
    const after = marked(before, message);
    return after.messages.has(message.id)
      ? toldMessage(after, message.id, { revision: message.revision, message })
      : after;
  }, changed);
}

function toldConversation(known: Known, told: Conversation, side: Side): Known {
  const { own, other } = sidesOf(told, side);
  const after = raised(raised(known, own, { delivered: told.deliveredSeq, read: told.readSeq }), other, {
    delivered: 0,
    read: told.ownReadSeq,
  });
  const { view } = known;
  if (view && view.revision > told.revision) return after;
  const isLaterKept = view?.lastMessage?.id === told.lastMessage?.id && outdoesLast(view, told);
  return { ...after, view: isLaterKept && view ? { ...told, lastMessage: view.lastMessage } : told };
}

/** Compares the last message, because a purchase changes its revision and not the conversation's. */
function outdoesLast(kept: Conversation | undefined, told: Conversation): boolean {
  return (kept?.lastMessage?.revision ?? 0) > (told.lastMessage?.revision ?? 0);
}

function toldDeleted(known: Known, upTo: number): Known {
  if (upTo <= known.deletedTo) return known;
  const left = [...known.messages].filter(([, { message }]) => !message || message.seq > upTo);
  return { ...known, deletedTo: upTo, messages: new Map(left) };
}

/** The reducer. Returns the same object when nothing changes. */
export function tell(known: Known, fact: Fact): Known {
  switch (fact.kind) {
    case 'message': {
      const { message } = fact;
      return toldMessage(marked(known, message), message.id, { revision: message.revision, message });
    }
    case 'removed':
      return toldMessage(known, fact.messageId, { revision: fact.revision });
    case 'mark':
      return marked(known, fact);
    case 'page':
      return toldPage(known, fact.page);
    case 'conversation':
      return toldConversation(known, fact.conversation, fact.side);
    case 'revised':
      return fact.revision > known.revision ? { ...known, revision: fact.revision } : known;
    case 'deleted':
      return toldDeleted(known, fact.upTo);
  }
}

const RANK = { failed: 0, sent: 1, delivered: 2, read: 3 } as const;

function statusOf(known: Known, { ownerId, seq, status }: Marked): Message['status'] {
  const { delivered, read } = known.marks[ownerId] ?? NO_MARK;
  const marked = seq <= read ? 'read' : seq <= delivered ? 'delivered' : status;
  return RANK[marked] > RANK[status] ? marked : status;
}

export function withKnown(window: Window, known: Known): Window {
  const messages = new Map<string, Message>(window.messages.map((message) => [message.id, message]));
  const from = window.hasOlder ? (window.messages[0]?.seq ?? 0) : 0;
  let { knownTo } = window;
  for (const [id, told] of known.messages) {
    const { message } = told;
    const kept = messages.get(id);
    if (!message) messages.delete(id);
    else if (kept ? kept.revision <= message.revision : isWithin(message, from, window)) messages.set(id, message);
  }
  const shown = [...messages.values()]
    .filter(({ seq }) => seq > known.deletedTo)
    .toSorted((one, other) => one.seq - other.seq)
    .map((message) => {
      const status = statusOf(known, message);
      return status === message.status ? message : { ...message, status };
    });
  for (const { seq } of shown) if (seq === knownTo + 1 && !window.hasNewer) knownTo = seq;
  const isSame = shown.length === window.messages.length && shown.every((one, at) => one === window.messages[at]);
  return isSame && knownTo === window.knownTo ? window : { ...window, messages: shown, knownTo };
}

/** Newer messages are not added to a window on older messages. They load when the user scrolls there. */
function isWithin({ seq }: Message, from: number, { hasNewer, knownTo }: Window): boolean {
  return seq >= from && (!hasNewer || seq <= knownTo);
}

type LastMessage = NonNullable<Conversation['lastMessage']>;

export function lineFacts(message: Message): LastMessage {
  const { id, revision, seq, type, text, ownerType, status, createdAt, price, isPurchased } = message;
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
  };
}

/** The conversation with all later changes. Undefined when it is unknown or deleted. */
export function conversationOf(known: Known, side: Side): Conversation | undefined {
  const { view, marks } = known;
  if (!view || view.lastSeq <= known.deletedTo) return undefined;
  const { own, other } = sidesOf(view, side);
  const since = [...known.messages.values()].flatMap(({ message }) =>
    message && message.seq > view.lastSeq ? [message] : [],
  );
  const newest = since.reduce<Message | undefined>((last, one) => (last && last.seq > one.seq ? last : one), undefined);
  const told = view.lastMessage && known.messages.get(view.lastMessage.id)?.message;
  const later = told && told.revision > (view.lastMessage?.revision ?? 0) ? lineFacts(told) : view.lastMessage;
  const last = newest ? lineFacts(newest) : later;
  const ownReadSeq = Math.max(view.ownReadSeq, marks[other]?.read ?? 0);
  const isAllRead = ownReadSeq > view.ownReadSeq && ownReadSeq >= (view.lastMessage?.seq ?? 0);
  const arrived = since.filter(({ ownerId, seq }) => ownerId !== own && seq > ownReadSeq).length;
  return {
    ...view,
    lastMessageCreatedAt: newest ? newest.createdAt : view.lastMessageCreatedAt,
    lastMessage: last && {
      ...last,
      status: statusOf(known, { ...last, ownerId: isFrom(last, side) ? own : other }),
    },
    unreadCount: (isAllRead ? 0 : view.unreadCount) + arrived,
    deliveredSeq: Math.max(view.deliveredSeq, marks[own]?.delivered ?? 0),
    readSeq: Math.max(view.readSeq, marks[own]?.read ?? 0),
    ownReadSeq,
  };
}

export function lastSeqOf({ view, messages }: Known): number {
  return Math.max(view?.lastSeq ?? 0, ...[...messages.values()].map(({ message }) => message?.seq ?? 0));
}

/**
 * Whether the conversation must be refetched: a newer revision is known only by number, part of it was read on another
 * device, or a message followed a deletion.
 */
export function isBehind({ view, revision, deletedTo, messages, marks }: Known, side: Side): boolean {
  if (!view) return false;
  if (view.lastSeq <= deletedTo) return [...messages.values()].some(({ message }) => message !== undefined);
  const read = marks[sidesOf(view, side).other]?.read ?? 0;
  const isReadInPart = read > view.ownReadSeq && read < (view.lastMessage?.seq ?? 0) && view.unreadCount > 0;
  return view.revision < revision || isReadInPart;
}
