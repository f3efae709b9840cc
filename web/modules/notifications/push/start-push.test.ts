import { userId } from '@stagedoor/contract/shared/ids.ts';
import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { blockReloadWhile } from '../../../platform/reload-guard.ts';
import { startPush } from './start-push.ts';

const showPrompt = vi.hoisted(() => vi.fn());
vi.mock('./push-prompt.tsx', () => ({ showPushPrompt: showPrompt }));

const ADA = z.parse(userId, '0190a000-0000-7000-8000-000000000001');
const DAY_MS = 86_400_000;
const START = Date.parse('2026-11-20T10:00:00Z');
let stored: Map<string, string>;
let isDialogOpen: boolean;

beforeEach(() => {
  stored = new Map();
  isDialogOpen = false;
  vi.useFakeTimers({ now: START, toFake: ['Date'] });
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  });
  const registration = { scope: '/' };
  vi.stubGlobal('navigator', {
    userAgent: 'Chrome',
    onLine: true,
    serviceWorker: { getRegistration: () => Promise.resolve(registration) },
  });
  vi.stubGlobal('location', { href: 'https://stagedoor.example/' });
  vi.stubGlobal('PushManager', class {});
  vi.stubGlobal('Notification', { permission: 'default' });
  vi.stubGlobal('document', { querySelector: () => (isDialogOpen ? {} : null) });
  showPrompt.mockReset();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function visit(afterMs: number, type: 'customer' | 'creator' = 'creator'): Promise<void> {
  vi.setSystemTime(START + afterMs);
  startPush(
    new QueryClient(),
    { id: ADA, type },
    { markAsRead: async () => undefined, onShowInstructions: () => undefined },
  );
  await Promise.all([import('../../../platform/reload-guard.ts'), import('./push-prompt.tsx')]);
  for (let tick = 0; tick < 10; tick += 1) await new Promise(setImmediate);
}

test.each(['customer', 'creator'] as const)(
  'a %s without an earlier occasion sees the push prompt at the second visit',
  async (type) => {
    await visit(0, type);
    await visit(60_000, type);
    expect(showPrompt).not.toHaveBeenCalled();
    await visit(DAY_MS, type);
    await vi.waitFor(() => expect(showPrompt).toHaveBeenCalledTimes(1), { timeout: 30_000 });
    expect(showPrompt.mock.calls[0]?.[0]).toMatchObject({ type, userId: ADA, state: 'off' });
  },
);

test('a user who saw the prompt does not see it again, whatever the choice was', async () => {
  await visit(0);
  for (const preference of ['prompted', 'off', 'on']) {
    stored.set(`push:${ADA}`, preference);
    await visit(DAY_MS);
  }
  expect(showPrompt).not.toHaveBeenCalled();
});

test('the prompt does not interrupt a call, an upload or another dialog, and waits for the next visit', async () => {
  await visit(0);
  isDialogOpen = true;
  await visit(DAY_MS);
  isDialogOpen = false;
  const end = blockReloadWhile(() => true);
  await visit(2 * DAY_MS);
  expect(showPrompt).not.toHaveBeenCalled();
  end();
  await visit(3 * DAY_MS);
  await vi.waitFor(() => expect(showPrompt).toHaveBeenCalledTimes(1), { timeout: 30_000 });
});
