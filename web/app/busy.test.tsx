import { act, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useFiles } from '../features/chat/composer/composer-files.tsx';
import { useRecorder } from '../features/chat/composer/use-recorder.ts';
import { type ChatParts, PartsContext } from '../features/chat/parts.ts';
import { LeaveGuard } from '../features/publishing/leave-guard.tsx';
import { isBusy } from '../kernel/busy.ts';
import { isUnsaved, useStake } from '../kernel/unsaved.ts';

function standInForDocument(): void {
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
  standInForDocument();
  const root = createRoot(document.body);
  show = (node) => act(async () => root.render(node));
});
afterEach(() => void vi.unstubAllGlobals());

const Nothing = () => null;
const PARTS: ChatParts = {
  ...{ viewerId: 'ada', side: 'fan', isOwner: true, base: '/fan/chat', rendered: '', missedCount: 0 },
  ...{ Player: Nothing, Tip: Nothing, Library: Nothing, YouGet: Nothing, Report: Nothing, Calls: Nothing },
  ReportPerson: Nothing,
  ...{
    CallButtons: Nothing,
    CallRate: Nothing,
    Seems: Nothing,
    openReceipt: () => undefined,
    openViewer: () => undefined,
  },
};

type Recorder = ReturnType<typeof useRecorder>;
function Line({ tell }: { tell: (recorder: Recorder) => void }) {
  tell(useRecorder());
  return null;
}

type Chosen = ReturnType<typeof useFiles>;
function Composer({ tell }: { tell: (chosen: Chosen) => void }) {
  tell(useFiles(false));
  return null;
}

test('a voice note is busy from the microphone permission prompt until it is sent or cancelled', async () => {
  const told: Recorder[] = [];
  const { promise, reject } = Promise.withResolvers<MediaStream>();
  vi.stubGlobal('navigator', { mediaDevices: { getUserMedia: () => promise } });
  await show(<Line tell={(recorder) => told.push(recorder)} />);
  expect(isBusy()).toBe(false);
  let started: Promise<void> | undefined;
  await act(async () => {
    started = told.at(-1)?.start();
  });
  expect(isBusy()).toBe(true);
  await act(async () => {
    reject(new Error('no microphone'));
    await started;
  });
  expect(isBusy()).toBe(false);
});

test('files attached to a message are busy until they are sent or removed', async () => {
  const told: Chosen[] = [];
  await show(
    <PartsContext value={PARTS}>
      <Composer tell={(chosen) => told.push(chosen)} />
    </PartsContext>,
  );
  expect(isBusy()).toBe(false);
  await act(async () => told.at(-1)?.add([new File(['words'], 'notes.txt', { type: 'text/plain' })]));
  expect(told.at(-1)?.files).toHaveLength(1);
  expect(isBusy()).toBe(true);
  await act(async () => told.at(-1)?.clear());
  expect(isBusy()).toBe(false);
});

const isAsked = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }));

test('a page asks before it is left while it has unsaved input, also while a save that may fail is running', async () => {
  const page = (stake: string | undefined, isSaving = false) => (
    <RouterProvider
      router={createMemoryRouter([{ path: '/', element: <LeaveGuard stake={stake} isSaving={isSaving} /> }])}
    />
  );
  await show(page(undefined));
  expect([isBusy(), isUnsaved(), isAsked()]).toEqual([false, false, false]);
  await show(page('Your changes are not saved.'));
  expect([isBusy(), isUnsaved(), isAsked()]).toEqual([true, true, true]);
  await show(page('Your changes are not saved.', true));
  expect([isBusy(), isUnsaved(), isAsked()]).toEqual([false, true, false]);
  await show(page(undefined));
  expect([isBusy(), isUnsaved(), isAsked()]).toEqual([false, false, false]);
});

function Written({ isDirty, isSaving = false }: { isDirty: boolean; isSaving?: boolean }) {
  useStake(isDirty, isSaving);
  return null;
}

test('a page with drafts in several places counts as unsaved until the last one is sent or removed', async () => {
  await show([<Written key="a" isDirty />, <Written key="b" isDirty={false} />]);
  expect([isUnsaved(), isAsked()]).toEqual([true, true]);
  await show([<Written key="a" isDirty isSaving />, <Written key="b" isDirty />]);
  expect([isUnsaved(), isAsked()]).toEqual([true, true]);
  await show([<Written key="a" isDirty isSaving />]);
  expect([isUnsaved(), isAsked()]).toEqual([true, false]);
  await show([<Written key="a" isDirty={false} />]);
  expect([isUnsaved(), isAsked()]).toEqual([false, false]);
});
