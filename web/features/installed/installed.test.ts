import { expect, test, vi } from 'vitest';
import type { Seen, SeenConversation } from '../../workers/shared.ts';
import { createHand, createWritten } from './moment.ts';
import { CLOSED_MS, hideFor, isHidden, LATER_MS, wayOf } from './rules.ts';
import { withSeen } from './seen.ts';
import { createUpdate } from './update.ts';

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
const IPAD =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15';
const CHROME_IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/137.0.7151.51 Mobile/15E148 Safari/604.1';
const CHROME =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/137.0.0.0 Mobile Safari/537.36';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const FIREFOX_PHONE = 'Mozilla/5.0 (Android 14; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0';

test.each([
  ['Safari on an iPhone', IPHONE, 5, false, 'banner'],
  ['Safari on an iPad', IPAD, 5, false, 'banner'],
  ['Chrome on an iPhone, which cannot', CHROME_IPHONE, 5, false, 'safari'],
  ['Safari on a Mac', IPAD, 0, false, undefined],
  ['Chrome that offers', CHROME, 5, true, 'prompt'],
  ['Chrome that does not', CHROME, 5, false, undefined],
  ['Firefox', FIREFOX, 0, false, undefined],
  ['Firefox on a phone, which has it in its menu', FIREFOX_PHONE, 5, false, 'menu'],
])(
  '%s gets its own install prompt, and none once the app is installed',
  (_name, userAgent, maxTouchPoints, hasOffer, way) => {
    expect(wayOf({ userAgent, maxTouchPoints, hasOffer, isStandalone: false })).toBe(way);
    expect(wayOf({ userAgent, maxTouchPoints, hasOffer, isStandalone: true })).toBeUndefined();
  },
);

function makeStore() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  };
}

test('"Maybe Later" hides the prompt for exactly 24 hours, closing the banner for exactly 30 days', () => {
  for (const ms of [LATER_MS, CLOSED_MS]) {
    const store = makeStore();
    expect(isHidden(store, 1_000)).toBe(false);
    hideFor(store, ms, 1_000);
    expect(isHidden(store, 1_000 + ms - 1)).toBe(true);
    expect(isHidden(store, 1_000 + ms)).toBe(false);
  }
  expect(LATER_MS).toBe(24 * 3_600_000);
  // Without storage the prompt would return on every page, so it is never shown.
  const broken = () => {
    throw new Error('forbidden');
  };
  expect(isHidden({ getItem: broken, setItem: broken }, 0)).toBe(true);
});

function open(more: Partial<Parameters<typeof createUpdate>[0]> = {}) {
  type Told = Parameters<Parameters<typeof createUpdate>[0]['tell']>[0];
  const page = {
    ...{ isGood: false, isHidden: false, reload: vi.fn() },
    waiting: undefined as Told | undefined,
    tell: vi.fn((told: Told) => {
      page.waiting = told;
      return true;
    }),
  };
  const store = makeStore();
  const make = () =>
    createUpdate({
      ...{ own: 'a', store, reload: page.reload, tell: page.tell },
      ...{ isGoodMoment: () => page.isGood, isHidden: () => page.isHidden },
      ...more,
    });
  return { page, make };
}

test('a new release is announced once and reloads the page once, at a suitable moment', () => {
  const { page, make } = open();
  const update = make();
  update.hear('b');
  update.look();
  expect(page.tell).toHaveBeenCalledTimes(1);
  expect(page.reload).not.toHaveBeenCalled();
  page.isGood = true;
  update.look();
  update.look();
  expect(page.reload).toHaveBeenCalledTimes(1);
  const next = make();
  next.hear('b');
  next.hear('a');
  next.look();
  expect(page.reload).toHaveBeenCalledTimes(1);
  next.hear('c');
  expect(page.reload).toHaveBeenCalledTimes(2);
});

test('"Later" postpones the reload until the page is hidden, and a page of unknown release is never reloaded', () => {
  const { page, make } = open();
  const update = make();
  update.hear('b');
  page.waiting?.later();
  page.isGood = true;
  update.look();
  expect(page.reload).not.toHaveBeenCalled();
  page.isHidden = true;
  update.look();
  expect(page.reload).toHaveBeenCalledTimes(1);
  const unknown = open({ own: undefined });
  unknown.page.isGood = true;
  unknown.make().hear('b');
  expect(unknown.page.reload).not.toHaveBeenCalled();
});

test('each release is announced once, however often it is reported', () => {
  const { page, make } = open();
  const update = make();
  update.hear('b');
  update.hear('b');
  page.waiting?.later();
  update.hear('b');
  update.look();
  expect(page.tell).toHaveBeenCalledTimes(1);
  update.hear('c');
  update.hear('c');
  expect(page.tell).toHaveBeenCalledTimes(2);
});

test('an edited field counts as unsaved while it is in the document and not empty', () => {
  const { note, isWritten } = createWritten();
  // React keeps both values equal for a controlled field.
  const field = { value: 'half a mess', defaultValue: 'half a mess', isConnected: true };
  expect(isWritten()).toBe(false);
  note(field);
  expect(isWritten()).toBe(true);
  field.value = '';
  expect(isWritten()).toBe(false);
  field.value = 'again';
  expect(isWritten()).toBe(true);
  field.isConnected = false;
  expect(isWritten()).toBe(false);
});

test('the page counts as in use for four seconds after each user action, and not before the first', () => {
  let now = 0;
  const { act, isStill } = createHand(() => now);
  expect(isStill()).toBe(true);
  act();
  expect(isStill()).toBe(false);
  now = 3_000;
  act();
  now = 7_000;
  expect(isStill()).toBe(false);
  now = 7_001;
  expect(isStill()).toBe(true);
});

test('stored content stays until it is replaced, and an open thread replaces its stored messages', () => {
  const talk = (id: string, ...words: string[]): SeenConversation => ({
    ...{ id, name: id, at: '', line: '' },
    messages: words.map((text) => ({ isMine: false, at: '', words: text })),
  });
  const first = withSeen(undefined, { feed: null, conversations: [talk('a', 'one'), talk('b')] }, 'Ada', 'now');
  expect(first).toMatchObject({ name: 'Ada', feed: null });
  const second = withSeen(first, { feed: [], conversations: [talk('b', 'two'), talk('a')] }, 'Ada', 'later');
  const wordsOf = ({ conversations }: Seen) =>
    conversations?.map(({ id, messages }) => [id, messages.map(({ words }) => words)]);
  expect(wordsOf(second)).toEqual([
    ['b', ['two']],
    ['a', ['one']],
  ]);
  expect(wordsOf(withSeen(second, { feed: null, conversations: [talk('b')] }, 'Ada', ''))).toEqual([['b', ['two']]]);
  expect(withSeen(second, { feed: null, conversations: null }, 'Ada', '').feed).toEqual([]);
});
