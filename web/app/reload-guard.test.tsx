import { act, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LeaveGuard } from '../modules/content/drafts/leave-guard.tsx';
import { type ChatParts, ChatPartsContext } from '../modules/messaging/chat/chat-parts.ts';
import { useComposerFiles } from '../modules/messaging/chat/composer/composer-files.tsx';
import { useRecorder } from '../modules/messaging/chat/composer/use-recorder.ts';
import { isReloadBlocked } from '../platform/reload-guard.ts';
import { hasUnsavedChanges, useUnsavedChanges } from '../platform/unsaved.ts';

function stubDocument(): void {
  const document = Object.assign(new EventTarget(), { nodeType: 9, activeElement: null, defaultView: globalThis });
  const body = Object.assign(new EventTarget(), { nodeType: 1, tagName: 'BODY', ownerDocument: document });
  const events = new EventTarget();
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal('document', Object.assign(document, { body }));
  vi.stubGlobal('HTMLIFrameElement', class {});
  vi.stubGlobal('addEventListener', events.addEventListener.bind(events));
  vi.stubGlobal('removeEventListener', events.removeEventListener.bind(events));
  vi.stubGlobal('dispatchEvent', events.dispatchEvent.bind(events));
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
}

let show: (node: ReactNode) => Promise<void>;
beforeEach(() => {
  stubDocument();
  const root = createRoot(document.body);
  show = (node) => act(async () => root.render(node));
});
afterEach(() => void vi.unstubAllGlobals());

const Nothing = () => null;
const PARTS: ChatParts = {
  ...{ viewerId: 'ada', side: 'fan', isOwner: true, base: '/fan/chat', rendered: '', missedCount: 0 },
  ...{ Player: Nothing, Tip: Nothing, Library: Nothing, CreatorShare: Nothing, Report: Nothing, Calls: Nothing },
  ReportUser: Nothing,
  ...{
    CallButtons: Nothing,
    CallRate: Nothing,
    BanEvasionHint: Nothing,
    openReceipt: () => undefined,
    openViewer: () => undefined,
  },
};

type Recorder = ReturnType<typeof useRecorder>;
function RecorderProbe({ onRender }: { onRender: (recorder: Recorder) => void }) {
  onRender(useRecorder(() => undefined));
  return null;
}

type ComposerFiles = ReturnType<typeof useComposerFiles>;
function FilesProbe({ onRender }: { onRender: (composerFiles: ComposerFiles) => void }) {
  onRender(useComposerFiles('draft:ada:talk', false));
  return null;
}

test('a voice note is busy from the microphone permission prompt until it is sent or cancelled', async () => {
  const renders: Recorder[] = [];
  const { promise, reject } = Promise.withResolvers<MediaStream>();
  vi.stubGlobal('navigator', { mediaDevices: { getUserMedia: () => promise } });
  await show(<RecorderProbe onRender={(recorder) => renders.push(recorder)} />);
  expect(isReloadBlocked()).toBe(false);
  let started: Promise<void> | undefined;
  await act(async () => {
    started = renders.at(-1)?.start();
  });
  expect(isReloadBlocked()).toBe(true);
  await act(async () => {
    reject(new Error('no microphone'));
    await started;
  });
  expect(isReloadBlocked()).toBe(false);
});

test('files attached to a message are busy until they are sent or removed', async () => {
  const renders: ComposerFiles[] = [];
  await show(
    <ChatPartsContext value={PARTS}>
      <FilesProbe onRender={(composerFiles) => renders.push(composerFiles)} />
    </ChatPartsContext>,
  );
  expect(isReloadBlocked()).toBe(false);
  await act(async () => renders.at(-1)?.add([new File(['words'], 'notes.txt', { type: 'text/plain' })]));
  expect(renders.at(-1)?.files).toHaveLength(1);
  expect(isReloadBlocked()).toBe(true);
  const [file] = renders.at(-1)?.files ?? [];
  await act(async () => renders.at(-1)?.remove(file?.key ?? ''));
  expect(isReloadBlocked()).toBe(false);
});

const isPrompted = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }));

test('leaving a page with unsaved input opens a dialog, also while a save that may fail is running', async () => {
  const page = (unsavedMessage: string | undefined, isSaving = false) => (
    <RouterProvider
      router={createMemoryRouter([
        { path: '/', element: <LeaveGuard unsavedMessage={unsavedMessage} isSaving={isSaving} /> },
      ])}
    />
  );
  await show(page(undefined));
  expect([isReloadBlocked(), hasUnsavedChanges(), isPrompted()]).toEqual([false, false, false]);
  await show(page('Your changes are not saved.'));
  expect([isReloadBlocked(), hasUnsavedChanges(), isPrompted()]).toEqual([true, true, true]);
  await show(page('Your changes are not saved.', true));
  expect([isReloadBlocked(), hasUnsavedChanges(), isPrompted()]).toEqual([false, true, false]);
  await show(page(undefined));
  expect([isReloadBlocked(), hasUnsavedChanges(), isPrompted()]).toEqual([false, false, false]);
});

function UnsavedPage({ isDirty, isSaving = false }: { isDirty: boolean; isSaving?: boolean }) {
  useUnsavedChanges(isDirty, isSaving);
  return null;
}

test('a page with several drafts counts as unsaved until the last one is sent or removed', async () => {
  await show([<UnsavedPage key="a" isDirty />, <UnsavedPage key="b" isDirty={false} />]);
  expect([hasUnsavedChanges(), isPrompted()]).toEqual([true, true]);
  await show([<UnsavedPage key="a" isDirty isSaving />, <UnsavedPage key="b" isDirty />]);
  expect([hasUnsavedChanges(), isPrompted()]).toEqual([true, true]);
  await show([<UnsavedPage key="a" isDirty isSaving />]);
  expect([hasUnsavedChanges(), isPrompted()]).toEqual([true, false]);
  await show([<UnsavedPage key="a" isDirty={false} />]);
  expect([hasUnsavedChanges(), isPrompted()]).toEqual([false, false]);
});
