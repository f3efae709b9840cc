import { QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createQueryClient } from '../../../../platform/query.ts';
import { emitSignal } from '../../../../platform/signals.ts';
import type { MessageOutbox } from './outbox.ts';
import { useOpenOutbox, useOutbox } from './use-outbox.ts';

beforeEach(() => {
  const page = Object.assign(new EventTarget(), { nodeType: 9, activeElement: null, defaultView: globalThis });
  const body = Object.assign(new EventTarget(), { nodeType: 1, tagName: 'BODY', ownerDocument: page });
  const events = new EventTarget();
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal('document', Object.assign(page, { body, cookie: '' }));
  vi.stubGlobal('HTMLIFrameElement', class {});
  vi.stubGlobal('addEventListener', events.addEventListener.bind(events));
  vi.stubGlobal('removeEventListener', events.removeEventListener.bind(events));
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
});
afterEach(() => void vi.unstubAllGlobals());

function OutboxProbe({ onRender }: { onRender: (outbox: MessageOutbox | undefined) => void }) {
  useOpenOutbox('ada');
  onRender(useOutbox());
  return null;
}

test('a message that is being sent is sent to the end when the chat is left, and stopped by a log-out', async () => {
  const signals: AbortSignal[] = [];
  vi.stubGlobal('fetch', (_: unknown, { signal }: { signal: AbortSignal }) => {
    signals.push(signal);
    return new Promise(() => undefined);
  });
  const renders: (MessageOutbox | undefined)[] = [];
  const client = createQueryClient(() => new Promise(() => undefined));
  const root = createRoot(document.body);
  await act(async () =>
    root.render(
      <QueryClientProvider client={client}>
        <OutboxProbe onRender={(outbox) => renders.push(outbox)} />
      </QueryClientProvider>,
    ),
  );
  await act(async () =>
    renders.at(-1)?.add({
      ...{ clientId: 'c-1', userId: 'ada', thread: 'talk', target: { kind: 'conversation', id: 'talk' }, text: 'Hi' },
      ...{ price: 0, isViewOnce: false, files: [], voice: undefined, createdAt: '2026-01-01T00:00:00.000Z', order: 1 },
      ...{ state: 'waiting', failure: undefined },
    }),
  );
  await vi.waitFor(() => expect(signals).toHaveLength(1));
  await act(async () => root.unmount());
  expect(signals[0]?.aborted).toBe(false);
  emitSignal('leaving');
  expect(signals[0]?.aborted).toBe(true);
});
