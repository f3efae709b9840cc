import { QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createQueryClient } from '../../../../platform/query.ts';
import { type ChatParts, ChatPartsContext } from '../chat-parts.ts';
import { clearFiles } from './attachments.ts';
import { type ComposedMessage, useComposer } from './use-composer.ts';

const Nothing = () => null;
const PARTS: ChatParts = {
  ...{ viewerId: 'ada', side: 'creator', isOwner: true, base: '/creator/chat', rendered: '', missedCount: 0 },
  ...{ Player: Nothing, Tip: Nothing, Library: Nothing, CreatorShare: Nothing, Report: Nothing, Calls: Nothing },
  ...{ ReportUser: Nothing, CallButtons: Nothing, CallRate: Nothing, BanEvasionHint: Nothing },
  ...{ openReceipt: () => undefined, openViewer: () => undefined },
};

let root: Root;
beforeEach(() => {
  const page = Object.assign(new EventTarget(), { nodeType: 9, activeElement: null, defaultView: globalThis });
  const body = Object.assign(new EventTarget(), { nodeType: 1, tagName: 'BODY', ownerDocument: page });
  const events = new EventTarget();
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal('document', Object.assign(page, { body }));
  vi.stubGlobal('HTMLIFrameElement', class {});
  vi.stubGlobal('addEventListener', events.addEventListener.bind(events));
  vi.stubGlobal('removeEventListener', events.removeEventListener.bind(events));
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  root = createRoot(globalThis.document.body);
});
afterEach(async () => {
  await act(async () => root.unmount());
  // Files stay in their conversation, and would block reloads in the next test file of this worker.
  clearFiles('broadcast');
  vi.unstubAllGlobals();
});

type Composer = ReturnType<typeof useComposer>;
function ComposerProbe({
  onSend,
  onRender,
}: {
  onSend: (composed: ComposedMessage) => boolean;
  onRender: (composer: Composer) => void;
}) {
  onRender(
    useComposer({ thread: 'broadcast', onSend, onTyping: () => undefined, isTextOnly: false, canSetPrice: true }),
  );
  return null;
}

async function showComposer(onSend: (composed: ComposedMessage) => boolean): Promise<() => Composer> {
  const renders: Composer[] = [];
  const client = createQueryClient(() => new Promise(() => undefined));
  const element = (
    <ChatPartsContext value={PARTS}>
      <ComposerProbe onSend={onSend} onRender={(composer) => renders.push(composer)} />
    </ChatPartsContext>
  );
  const router = createMemoryRouter([{ path: '/', element }]);
  await act(async () =>
    root.render(
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>,
    ),
  );
  return () => {
    const last = renders.at(-1);
    if (!last) throw new Error('not rendered');
    return last;
  };
}

test('a voice message that was refused, such as for a time that has passed, stays in the composer until it is sent', async () => {
  let isAccepted = false;
  const sent: ComposedMessage[] = [];
  const getComposer = await showComposer((composed) => {
    if (isAccepted) sent.push(composed);
    return isAccepted;
  });
  const recording = { blob: new Blob(['sound']), name: 'voice.webm', durationSeconds: 3, waveform: [1] };
  await act(async () => void getComposer().sendVoice(recording));
  expect(getComposer()).toMatchObject({ voice: recording, canSend: true, isEmpty: false });
  await act(async () => getComposer().setText('And a text'));
  await act(async () => void getComposer().send());
  expect(getComposer().voice).toBe(recording);
  isAccepted = true;
  await act(async () => void getComposer().send());
  expect(sent).toMatchObject([{ text: '', voice: recording }]);
  expect(getComposer()).toMatchObject({ voice: undefined, text: 'And a text' });
  await act(async () => void getComposer().send());
  expect(sent).toMatchObject([{}, { text: 'And a text' }]);
  expect(getComposer()).toMatchObject({ isEmpty: true, text: '' });
});

test('a file can be priced while it is being prepared', async () => {
  const getComposer = await showComposer(() => true);
  vi.stubGlobal('createImageBitmap', () => new Promise(() => undefined));
  await act(async () => getComposer().attachments.add([new File(['light'], 'one.jpg', { type: 'image/jpeg' })]));
  await act(async () => getComposer().terms.onPrice('7.50'));
  expect(getComposer()).toMatchObject({ files: [{ name: 'one.jpg', prepared: undefined }], price: 7.5 });
  await act(async () => void getComposer().send());
  expect(getComposer().isWaiting).toBe(true);
});
