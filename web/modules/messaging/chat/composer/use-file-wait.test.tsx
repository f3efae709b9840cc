import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { useFileWait, useWhenReady } from './use-file-wait.ts';

type Files = { isPreparing: boolean; refusalCount: number };
type Wait = ReturnType<typeof useFileWait>;

const send = vi.fn();
let current: Wait | undefined;
const setCurrent = (wait: Wait) => {
  current = wait;
};
function WaitProbe({ files, onRender }: { files: Files; onRender: (wait: Wait) => void }) {
  const wait = useFileWait(files);
  useWhenReady(wait, send);
  onRender(wait);
  return null;
}

let show: (files: Files) => Promise<void>;
beforeEach(() => {
  vi.useFakeTimers();
  const document = Object.assign(new EventTarget(), { nodeType: 9, activeElement: null, defaultView: globalThis });
  const body = Object.assign(new EventTarget(), { nodeType: 1, tagName: 'BODY', ownerDocument: document });
  vi.stubGlobal('window', globalThis);
  for (const name of ['addEventListener', 'removeEventListener']) vi.stubGlobal(name, vi.fn());
  vi.stubGlobal('document', Object.assign(document, { body }));
  vi.stubGlobal('HTMLIFrameElement', class {});
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  send.mockReset();
  const root = createRoot(body as unknown as HTMLElement);
  show = async (files) => {
    await act(async () => root.render(<WaitProbe files={files} onRender={setCurrent} />));
    await act(async () => vi.runAllTimers());
  };
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
const press = (action: 'start' | 'stop') => act(async () => current?.[action]());

describe('a message whose files are being prepared', () => {
  test('is sent once when they are ready', async () => {
    await show({ isPreparing: true, refusalCount: 0 });
    await press('start');
    await show({ isPreparing: true, refusalCount: 0 });
    expect(current?.isWaiting).toBe(true);
    expect(send).not.toHaveBeenCalled();
    await show({ isPreparing: false, refusalCount: 0 });
    await show({ isPreparing: false, refusalCount: 0 });
    expect(send).toHaveBeenCalledTimes(1);
    expect(current?.isWaiting).toBe(false);
  });

  test('is not sent after Cancel', async () => {
    await show({ isPreparing: true, refusalCount: 0 });
    await press('start');
    await press('stop');
    await show({ isPreparing: false, refusalCount: 0 });
    expect(send).not.toHaveBeenCalled();
  });

  test('stays unsent when one of them is refused meanwhile', async () => {
    await show({ isPreparing: true, refusalCount: 1 });
    await press('start');
    await show({ isPreparing: false, refusalCount: 2 });
    expect(send).not.toHaveBeenCalled();
    expect(current?.isWaiting).toBe(false);
  });
});
