import type { Media } from '@stagedoor/contract/content/media.ts';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type PublishWait, usePublishWait } from './use-publish-wait.ts';

type Status = Media['status'];

const publish = vi.fn();
type ProbeProps = { statuses: readonly Status[]; onRender: (wait: PublishWait) => void };

let current: PublishWait | undefined;
const setCurrent = (wait: PublishWait) => {
  current = wait;
};
function WaitProbe({ statuses, onRender }: ProbeProps) {
  const media = statuses.map((status) => ({ media: { status } as Media, alt: '' }));
  onRender(usePublishWait({ media }, publish));
  return null;
}

let show: (...statuses: Status[]) => Promise<void>;
beforeEach(() => {
  vi.useFakeTimers();
  const document = Object.assign(new EventTarget(), { nodeType: 9, activeElement: null, defaultView: globalThis });
  const body = Object.assign(new EventTarget(), { nodeType: 1, tagName: 'BODY', ownerDocument: document });
  vi.stubGlobal('window', globalThis);
  for (const name of ['addEventListener', 'removeEventListener']) vi.stubGlobal(name, vi.fn());
  vi.stubGlobal('document', Object.assign(document, { body }));
  vi.stubGlobal('HTMLIFrameElement', class {});
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  publish.mockReset();
  const root = createRoot(body as unknown as HTMLElement);
  show = async (...statuses) => {
    await act(async () => root.render(<WaitProbe statuses={statuses} onRender={setCurrent} />));
    await act(async () => vi.runAllTimers());
  };
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
const press = (action: 'submit' | 'stop') => act(async () => current?.[action]());

describe('“Publish now” in the list of drafts', () => {
  test('publishes at once when all files are ready', async () => {
    await show('ready', 'ready');
    await press('submit');
    expect(publish).toHaveBeenCalledTimes(1);
  });

  test('waits for files that are being processed and publishes once', async () => {
    await show('ready', 'processing');
    await press('submit');
    await show('ready', 'processing');
    expect([current?.isWaiting, publish.mock.calls.length]).toEqual([true, 0]);
    await show('ready', 'ready');
    await show('ready', 'ready');
    expect([current?.isWaiting, publish.mock.calls.length]).toEqual([false, 1]);
  });

  test('does not publish after Cancel', async () => {
    await show('processing');
    await press('submit');
    await press('stop');
    await show('ready');
    expect(publish).not.toHaveBeenCalled();
  });

  test('stops waiting when a file fails, so that the server returns the reason', async () => {
    await show('processing', 'processing');
    await press('submit');
    await show('processing', 'failed');
    expect([current?.isWaiting, publish.mock.calls.length]).toEqual([false, 1]);
  });
});
