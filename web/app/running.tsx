/**
 * Parts that exist only after hydration: toasts, connection banner, socket, visit history. None of them is in the
 * server's HTML.
 */
import type { Viewer } from '@stagedoor/contract/accounts.ts';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { useLocation } from 'react-router';
import { whenIdle } from '../kernel/idle.ts';
import { lazyPart, whenReachable } from '../kernel/lazy-part.ts';
import { setConnection } from '../kernel/live.ts';
import { useHearPresence } from '../kernel/presence.ts';
import { leaveEnded, useViewer } from '../kernel/session.ts';
import { onSignal } from '../kernel/signals.ts';
import { deviceSessionId, forgetUnsent, keepRegistered, keepUser, noteVisit } from '../kernel/storage.ts';
import { ConnectionStrip } from './connection.tsx';
import { MODULES } from './modules.ts';
import { useRootData } from './root-data.ts';

const Toasts = lazyPart(async () => (await import('./toasts.tsx')).Toasts);
const Calls = lazyPart(async () => (await import('./calls.tsx')).Calls);
const BlockedDialog = lazyPart(async () => (await import('./blocked-dialog.tsx')).BlockedDialog);

type Later = typeof import('./later.ts');

const PRESSES = ['pointerdown', 'keydown'] as const;
const listenNever = () => () => undefined;

function useAlive(): boolean {
  return useSyncExternalStore(
    listenNever,
    () => true,
    () => false,
  );
}

function useSocket(client: QueryClient, userId: string | undefined): Later | undefined {
  const [later, setLater] = useState<Later>();
  const house = useRootData();
  useEffect(() => {
    if (!userId) return;
    let isGone = false;
    let close = (): void => undefined;
    const open = async () => {
      const came = await whenReachable(() => import('./later.ts'));
      if (isGone) return;
      setLater(came);
      const connection = came.connect(client, house);
      setConnection(connection);
      close = () => {
        setConnection(undefined);
        connection.close();
      };
    };
    const cancel = whenIdle(() => void open());
    return () => {
      isGone = true;
      cancel();
      close();
    };
  }, [client, userId, house]);
  return later;
}

/**
 * Returns true once a toast is pending. For logged-in users the toaster already loads with the first press, so that it
 * also works offline.
 */
function useToasts(isSignedIn: boolean): boolean {
  const [isWanted, setWanted] = useState(false);
  useEffect(() => {
    const want = () => setWanted(true);
    const stop = onSignal('toast', want);
    if (isSignedIn) for (const press of PRESSES) addEventListener(press, want, { once: true, passive: true });
    return () => {
      stop();
      for (const press of PRESSES) removeEventListener(press, want);
    };
  }, [isSignedIn]);
  return isWanted;
}

function useNotes(): void {
  const viewer = useViewer();
  const { pathname, search } = useLocation();
  useEffect(() => {
    if (viewer) {
      forgetUnsent(localStorage, viewer.id);
      keepRegistered(sessionStorage, undefined);
    }
    keepUser(localStorage, viewer);
    deviceSessionId(sessionStorage);
  }, [viewer]);
  useEffect(() => noteVisit(sessionStorage, pathname + search), [pathname, search]);
}

function useRooms(client: QueryClient, viewer: Viewer | null): void {
  const { id, type } = viewer ?? {};
  useHearPresence();
  useEffect(() => {
    if (!id || !type) return;
    const stops = MODULES.flatMap(({ live = [] }) => live.map((listen) => listen(client, { id, type })));
    return () => {
      for (const stop of stops) stop();
    };
  }, [client, id, type]);
}

function Alive() {
  const client = useQueryClient();
  const viewer = useViewer();
  const [isBlocked, setBlocked] = useState(false);
  const [hasCalls, setHasCalls] = useState(false);
  const hasToasts = useToasts(viewer !== null);
  useNotes();
  const later = useSocket(client, viewer?.id);
  useRooms(client, viewer);
  useEffect(() => onSignal('blocked', () => setBlocked(true)), []);
  useEffect(() => onSignal('call', () => setHasCalls(true)), []);
  useEffect(() => onSignal('unauthorized', () => leaveEnded(client)), [client]);
  return (
    <>
      <ConnectionStrip />
      {later && <later.Later />}
      <Suspense fallback={null}>{hasCalls && <Calls />}</Suspense>
      <Suspense fallback={null}>
        {hasToasts && <Toasts />}
        {isBlocked && <BlockedDialog onClose={() => setBlocked(false)} />}
      </Suspense>
    </>
  );
}

export function Running() {
  return useAlive() ? <Alive /> : null;
}
