import { beforeEach, expect, test, vi } from 'vitest';
import { sessionStore } from '../../../platform/browser-storage.ts';
import { isCallResumed, removeResumeParam, resumeCallHref, savePendingCall, takePendingCall } from './pending-call.ts';

const CALL = {
  creator: { id: 'c1', username: 'ada', name: 'Ada', avatarUrl: null },
  kind: 'audio',
} as const;

beforeEach(() => {
  const stored = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  });
});

test('a call that waits for funds is resumed once, on the page where the set-up was open', () => {
  const href = resumeCallHref('/fan/chat/7', '?tab=unread');
  const search = new URL(href, 'https://stagedoor.test').searchParams;
  expect(href).toBe('/fan/chat/7?tab=unread&call=resume');
  expect([isCallResumed(search), isCallResumed(removeResumeParam(search))]).toEqual([true, false]);
  savePendingCall(CALL);
  expect(takePendingCall()).toEqual(CALL);
  expect(takePendingCall()).toBeUndefined();
});

test.each(['', 'null', '[]', '{', '{"id":"c1","username":"ada","name":"Ada","kind":"text"}'])(
  '%j is no call that waits',
  (text) => {
    sessionStore.setItem('pendingCall', text);
    expect(takePendingCall()).toBeUndefined();
  },
);
