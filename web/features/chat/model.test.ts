/** What is kept of conversations: windows that grow, meet gaps and follow events; lists in the order of activity. */
import { describe, expect, test } from 'vitest';
import {
  afterMark,
  afterMessage,
  changedMessage,
  type List,
  resynced,
  resyncedList,
  type Window,
  withConversation,
  withMessage,
  withNewer,
  withOlder,
  withoutMessage,
  withStatus,
} from './model.ts';
import { IDS, idOf, makeConversation, makeMessage } from './testing.ts';

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => makeMessage({ seq: from + index }));
const open = (from: number, to: number, change: Partial<Window> = {}): Window => ({
  messages: range(from, to),
  hasOlder: true,
  hasNewer: false,
  epoch: 0,
  ...change,
});
const seqs = (window: Window) => window.messages.map(({ seq }) => seq);

describe('a window on a thread', () => {
  test('takes what arrives once, and in the order of the conversation', () => {
    let window = open(5, 6);
    for (const seq of [8, 7, 8]) window = withMessage(window, makeMessage({ seq }));
    expect(seqs(window)).toEqual([5, 6, 7, 8]);
    expect(seqs(withMessage(window, makeMessage({ seq: 2 })))).toEqual([5, 6, 7, 8]);
  });

  test('on the past leaves newer ones for later', () => {
    const window = open(5, 6, { hasNewer: true });
    expect(withMessage(window, makeMessage({ seq: 9 }))).toBe(window);
    expect(seqs(withNewer(window, range(7, 9), false))).toEqual([5, 6, 7, 8, 9]);
  });

  test('grows by older ones without doubling', () => {
    const window = withOlder(open(5, 6), range(3, 5), false);
    expect(seqs(window)).toEqual([3, 4, 5, 6]);
    expect(window.hasOlder).toBe(false);
  });

  test('asked for again has what came, what changed, and not what was taken back', () => {
    const page = [...range(6, 7), makeMessage({ seq: 9, text: 'changed' }), ...range(10, 12)].toReversed();
    const window = resynced(open(1, 9), page, true);
    expect(seqs(window)).toEqual([1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12]);
    expect(window.messages[7]?.text).toBe('changed');
    expect(window.epoch).toBe(0);
  });

  test('keeps a mark that overtook the answer to what was sent', () => {
    const marked = withStatus(withMessage(open(5, 6), makeMessage({ seq: 7 })), IDS.other, 7, 'delivered');
    expect(withMessage(marked, makeMessage({ seq: 7 })).messages.at(-1)?.status).toBe('delivered');
    expect(resynced(marked, range(5, 7).toReversed(), true).messages.at(-1)?.status).toBe('delivered');
    const read = withMessage(marked, makeMessage({ seq: 7, status: 'read', text: 'changed' })).messages.at(-1);
    expect(read).toMatchObject({ status: 'read', text: 'changed' });
  });

  test('that missed more than a page begins anew', () => {
    const window = resynced(open(1, 9), range(60, 109).toReversed(), true);
    expect(seqs(window)).toEqual(range(60, 109).map(({ seq }) => seq));
    expect(window).toMatchObject({ epoch: 1, hasOlder: true });
  });

  test('keeps what came while the page was on its way', () => {
    expect(seqs(resynced(open(1, 5), range(2, 4).toReversed(), true))).toEqual([1, 2, 3, 4, 5]);
  });

  test('marks reach back, of one owner, and only rise', () => {
    const mine = [1, 2, 3].map((seq) => makeMessage({ seq, ownerId: IDS.me, ownerType: 'customer' }));
    let window: Window = { messages: [...mine, makeMessage({ seq: 4 })], hasOlder: false, hasNewer: false, epoch: 0 };
    window = withStatus(window, IDS.me, 2, 'read');
    window = withStatus(window, IDS.me, 4, 'delivered');
    expect(window.messages.map(({ status }) => status)).toEqual(['read', 'read', 'delivered', 'sent']);
    expect(withStatus(window, IDS.me, 4, 'delivered')).toBe(window);
  });

  test('changes and removes by id', () => {
    const changed = changedMessage(open(1, 2), idOf(0x1001), (message) => ({ ...message, isPurchased: true }));
    expect(changed.messages.map(({ isPurchased }) => isPurchased)).toEqual([true, false]);
    expect(seqs(withoutMessage(changed, idOf(0x1001)))).toEqual([2]);
  });
});

describe('a list of conversations', () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 12, minute)).toISOString();
  const talk = (number: number, change: Parameters<typeof makeConversation>[0] = {}) =>
    makeConversation({ id: idOf(number), lastMessageCreatedAt: at(number), ...change });
  const names = (list: List) => list.items.map(({ id }) => Number.parseInt(id.slice(-4), 16));

  test('moves what is active to the top, once', () => {
    const list: List = { items: [talk(3), talk(2), talk(1)], nextOffset: undefined };
    expect(names(withConversation(list, talk(1, { lastMessageCreatedAt: at(9) }), 'chat', 'fan'))).toEqual([1, 3, 2]);
  });

  test('holds what belongs to its tab', () => {
    const request = talk(5, { info: { ...makeConversation().info, request: 'requested' } });
    const empty: List = { items: [], nextOffset: undefined };
    expect(names(withConversation(empty, request, 'chat', 'creator'))).toEqual([]);
    expect(names(withConversation(empty, request, 'requests', 'creator'))).toEqual([5]);
    expect(names(withConversation(empty, request, 'chat', 'fan'))).toEqual([5]);
    expect(names(withConversation(empty, talk(4), 'unread', 'fan'))).toEqual([]);
    const shown: List = { items: [talk(4, { unreadCount: 2 })], nextOffset: undefined };
    expect(names(withConversation(shown, talk(4), 'unread', 'fan'))).toEqual([4]);
  });

  test('asked for again keeps the tail where the page reaches it, and begins anew where not', () => {
    const list: List = { items: [talk(5), talk(4), talk(3), talk(2)], nextOffset: 'c2' };
    const page = [talk(3, { lastMessageCreatedAt: at(9) }), talk(5)];
    const merged = resyncedList(list, page, 'c5');
    expect(names(merged)).toEqual([3, 5, 4, 2]);
    expect(merged.nextOffset).toBe('c2');
    expect(names(resyncedList(list, [talk(20), talk(19)], 'c19'))).toEqual([20, 19]);
    expect(resyncedList(list, [talk(5)], undefined)).toEqual({ items: [talk(5)], nextOffset: undefined });
    // What came while the page was on its way, and not what was deleted elsewhere.
    const grown = { ...list, items: [talk(30), talk(29), ...list.items] };
    expect(names(resyncedList(grown, page, 'c5', new Set([talk(30).id])))[0]).toBe(30);
    expect(names(resyncedList(grown, page, 'c5', new Set([talk(30).id])))).not.toContain(29);
  });

  test('counts what is new to the viewer, and marks of either side', () => {
    let one = makeConversation({ ownReadSeq: 3 });
    one = afterMessage(one, makeMessage({ seq: 4 }), IDS.me);
    one = afterMessage(one, makeMessage({ seq: 4 }), IDS.me);
    one = afterMessage(one, makeMessage({ seq: 5, ownerId: IDS.me, ownerType: 'customer' }), IDS.me);
    expect(one).toMatchObject({ unreadCount: 1, lastMessage: { seq: 5, status: 'sent' } });
    one = afterMark(one, { isOwn: true, seq: 5, status: 'delivered' }, 'fan');
    expect(one).toMatchObject({ deliveredSeq: 5, readSeq: 0, lastMessage: { status: 'delivered' } });
    one = afterMark(one, { isOwn: false, seq: 5, status: 'read' }, 'fan');
    expect(one).toMatchObject({ ownReadSeq: 5, unreadCount: 0 });
  });
});
