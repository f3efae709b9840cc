import { expect, test, vi } from 'vitest';
import { addQueuedMessages, parseQueuedMessage } from '../../workers/queued-messages.ts';
import type { SeenContent, SeenConversation } from '../../workers/shared.ts';
import { createSafeStore } from '../browser-storage.ts';
import { createUpdateHandler } from './app-update.ts';
import { DISMISSED_MS, findInstallMethod, hidePrompt, isPromptHidden, POSTPONED_MS } from './install-rules.ts';
import { mergeSeenContent } from './offline-content.ts';
import { createActivityTracker, createEditTracker } from './page-activity.ts';

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
  (_name, userAgent, maxTouchPoints, hasOffer, method) => {
    expect(findInstallMethod({ userAgent, maxTouchPoints, hasOffer, isStandalone: false })).toBe(method);
    expect(findInstallMethod({ userAgent, maxTouchPoints, hasOffer, isStandalone: true })).toBeUndefined();
  },
);

function refuseStorage(): never {
  throw new DOMException('denied', 'SecurityError');
}

function createStore() {
  const stored = new Map<string, string>();
  return {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    isPersistent: () => true,
  };
}

test('"Maybe Later" hides the prompt for exactly 24 hours, closing the banner for exactly 30 days', () => {
  for (const ms of [POSTPONED_MS, DISMISSED_MS]) {
    const store = createStore();
    expect(isPromptHidden(store, 1_000)).toBe(false);
    hidePrompt(store, ms, 1_000);
    expect(isPromptHidden(store, 1_000 + ms - 1)).toBe(true);
    expect(isPromptHidden(store, 1_000 + ms)).toBe(false);
  }
  expect(POSTPONED_MS).toBe(24 * 3_600_000);
  // Without storage the prompt would return on every page, so it is never shown.
  expect(isPromptHidden(createSafeStore(refuseStorage), 0)).toBe(true);
});

function openPage(more: Partial<Parameters<typeof createUpdateHandler>[0]> = {}) {
  type PendingUpdate = Parameters<Parameters<typeof createUpdateHandler>[0]['showNotice']>[0];
  const page = {
    ...{ canReload: false, isHidden: false, reload: vi.fn() },
    pendingUpdate: undefined as PendingUpdate | undefined,
    showNotice: vi.fn((update: PendingUpdate) => {
      page.pendingUpdate = update;
      return true;
    }),
  };
  const store = createStore();
  const createHandler = () =>
    createUpdateHandler({
      ...{ ownRelease: 'a', store, reload: page.reload, showNotice: page.showNotice },
      ...{ canReload: () => page.canReload, isHidden: () => page.isHidden },
      ...more,
    });
  return { page, createHandler };
}

test('a new release is announced once and reloads the page once, at a suitable moment', () => {
  const { page, createHandler } = openPage();
  const update = createHandler();
  update.receiveRelease('b');
  update.applyWhenSuitable();
  expect(page.showNotice).toHaveBeenCalledTimes(1);
  expect(page.reload).not.toHaveBeenCalled();
  page.canReload = true;
  update.applyWhenSuitable();
  update.applyWhenSuitable();
  expect(page.reload).toHaveBeenCalledTimes(1);
  const next = createHandler();
  next.receiveRelease('b');
  next.receiveRelease('a');
  next.applyWhenSuitable();
  expect(page.reload).toHaveBeenCalledTimes(1);
  next.receiveRelease('c');
  expect(page.reload).toHaveBeenCalledTimes(2);
});

test('"Later" postpones the reload until the page is hidden, and a page of unknown release is never reloaded', () => {
  const { page, createHandler } = openPage();
  const update = createHandler();
  update.receiveRelease('b');
  page.pendingUpdate?.postpone();
  page.canReload = true;
  update.applyWhenSuitable();
  expect(page.reload).not.toHaveBeenCalled();
  page.isHidden = true;
  update.applyWhenSuitable();
  expect(page.reload).toHaveBeenCalledTimes(1);
  const unknown = openPage({ ownRelease: undefined });
  unknown.page.canReload = true;
  unknown.createHandler().receiveRelease('b');
  expect(unknown.page.reload).not.toHaveBeenCalled();
});

test('each release is announced once, however often it is reported', () => {
  const { page, createHandler } = openPage();
  const update = createHandler();
  update.receiveRelease('b');
  update.receiveRelease('b');
  page.pendingUpdate?.postpone();
  update.receiveRelease('b');
  update.applyWhenSuitable();
  expect(page.showNotice).toHaveBeenCalledTimes(1);
  update.receiveRelease('c');
  update.receiveRelease('c');
  expect(page.showNotice).toHaveBeenCalledTimes(2);
});

test('an edited field counts as unsaved while it is in the document and not empty', () => {
  const { addField, hasEdits } = createEditTracker();
  // React keeps both values equal for a controlled field.
  const field = { value: 'half a mess', defaultValue: 'half a mess', isConnected: true };
  expect(hasEdits()).toBe(false);
  addField(field);
  expect(hasEdits()).toBe(true);
  field.value = '';
  expect(hasEdits()).toBe(false);
  field.value = 'again';
  expect(hasEdits()).toBe(true);
  field.isConnected = false;
  expect(hasEdits()).toBe(false);
});

test('the page counts as in use for four seconds after each user action, and not before the first', () => {
  let now = 0;
  const { recordActivity, isIdle } = createActivityTracker(() => now);
  expect(isIdle()).toBe(true);
  recordActivity();
  expect(isIdle()).toBe(false);
  now = 3_000;
  recordActivity();
  now = 7_000;
  expect(isIdle()).toBe(false);
  now = 7_001;
  expect(isIdle()).toBe(true);
});

test('stored content stays until it is replaced, and an open thread replaces its stored messages', () => {
  const createConversation = (id: string, ...texts: string[]): SeenConversation => ({
    ...{ id, name: id, at: '', preview: '' },
    messages: texts.map((text) => ({ isMine: false, at: '', text })),
  });
  const first = mergeSeenContent(
    undefined,
    { feed: null, conversations: [createConversation('a', 'one'), createConversation('b')] },
    'Ada',
    'now',
  );
  expect(first).toMatchObject({ name: 'Ada', feed: null });
  const second = mergeSeenContent(
    first,
    { feed: [], conversations: [createConversation('b', 'two'), createConversation('a')] },
    'Ada',
    'later',
  );
  const getTexts = ({ conversations }: SeenContent) =>
    conversations?.map(({ id, messages }) => [id, messages.map(({ text }) => text)]);
  expect(getTexts(second)).toEqual([
    ['b', ['two']],
    ['a', ['one']],
  ]);
  expect(
    getTexts(mergeSeenContent(second, { feed: null, conversations: [createConversation('b')] }, 'Ada', '')),
  ).toEqual([['b', ['two']]]);
  expect(mergeSeenContent(second, { feed: null, conversations: null }, 'Ada', '').feed).toEqual([]);
});

test('messages in the outbox are shown offline at the end of their conversation, in order', () => {
  const conversation = { id: 'a', name: 'Ada', at: '', preview: '', messages: [{ isMine: false, at: '', text: 'Hi' }] };
  const entry = { thread: 'a', createdAt: '2026-01-01', text: '', files: [], voice: undefined, state: 'waiting' };
  const queued = [
    { ...entry, order: 3, files: [{ name: 'one.pdf' }, { name: 'two.pdf' }], state: 'failed' },
    { ...entry, order: 2, text: 'Later', files: [{ name: 'a.jpg' }] },
    { ...entry, order: 1, text: 'Soon' },
    { ...entry, order: 0, text: 'Elsewhere', thread: 'b' },
    { ...entry, order: 4, voice: { durationSeconds: 2 }, files: [{ name: 'voice.webm' }] },
    'not an entry',
  ].flatMap((value) => parseQueuedMessage(value) ?? []);
  const [shown] = addQueuedMessages([conversation], queued);
  expect(shown?.messages.map(({ text, pending }) => [text, pending])).toEqual([
    ['Hi', undefined],
    ['Soon', 'waiting'],
    ['a.jpg: Later', 'waiting'],
    ['one.pdf, two.pdf', 'failed'],
    ['Voice message', 'waiting'],
  ]);
});
