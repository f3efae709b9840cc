import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { MemoryRouter, useLocation } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useResumedCall } from './fan-widget.tsx';
import { openCallCheck } from './open-call.ts';
import { savePendingCall } from './pending-call.ts';

vi.mock('./open-call.ts', () => ({ openCallCheck: vi.fn() }));

const CREATOR = { id: 'c1', username: 'ada', name: 'Ada', avatarUrl: null };

function PageProbe({ onLocation }: { onLocation: (address: string) => void }) {
  useResumedCall();
  const { pathname, search } = useLocation();
  onLocation(pathname + search);
  return null;
}

let show: (address: string) => Promise<string | undefined>;
beforeEach(() => {
  vi.mocked(openCallCheck).mockClear();
  const document = Object.assign(new EventTarget(), { nodeType: 9, activeElement: null, defaultView: globalThis });
  const body = Object.assign(new EventTarget(), { nodeType: 1, tagName: 'BODY', ownerDocument: document });
  vi.stubGlobal('window', globalThis);
  for (const name of ['addEventListener', 'removeEventListener']) vi.stubGlobal(name, vi.fn());
  vi.stubGlobal('document', Object.assign(document, { body }));
  vi.stubGlobal('HTMLIFrameElement', class {});
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const root = createRoot(body as unknown as HTMLElement);
  show = async (address) => {
    const addresses: string[] = [];
    await act(async () =>
      root.render(
        <MemoryRouter initialEntries={[address]}>
          <PageProbe onLocation={(each) => addresses.push(each)} />
        </MemoryRouter>,
      ),
    );
    return addresses.at(-1);
  };
});
afterEach(() => void vi.unstubAllGlobals());

test('a fan who added funds for a call is back at its set-up, once', async () => {
  savePendingCall({ creator: CREATOR, kind: 'audio' });
  expect(await show('/fan/chat/7?tab=unread&call=resume')).toBe('/fan/chat/7?tab=unread');
  expect(vi.mocked(openCallCheck).mock.calls).toEqual([[CREATOR, 'audio']]);
});

test('an address alone opens no set-up, because it would turn on the camera', async () => {
  expect(await show('/profile/ada?call=resume')).toBe('/profile/ada');
  expect(openCallCheck).not.toHaveBeenCalled();
});
