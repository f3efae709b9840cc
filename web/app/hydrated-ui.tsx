/**
 * Parts that exist only after hydration: toasts, connection banner, socket, visit history. None of them is in the
 * server's HTML.
 */

import type { Viewer } from '@stagedoor/contract/identity/accounts.ts';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { useLocation, useRevalidator } from 'react-router';
import { localStore, sessionStore } from '../platform/browser-storage.ts';
import { isToasterRequested } from '../platform/feedback.ts';
import { runWhenIdle } from '../platform/idle.ts';
import { lazyPart, loadWhenReachable } from '../platform/lazy-part.ts';
import { waitForListeners } from '../platform/module.ts';
import { usePresenceListener } from '../platform/presence.ts';
import { leaveEndedSession, useViewer } from '../platform/session.ts';
import { onSignal } from '../platform/signals.ts';
import { setConnection } from '../platform/socket-events.ts';
import { deleteUnsent, getDeviceSessionId, saveRegisteredText, saveUser, saveVisit } from '../platform/storage.ts';
import { updateTimeZone } from '../platform/time-zone.ts';
import { watchTypedText } from '../platform/typed-text.ts';
import { ConnectionStrip } from './connection.tsx';
import { MODULES } from './modules.ts';
import { useRootData } from './root-data.ts';

const Toasts = lazyPart(async () => (await import('./toasts.tsx')).Toasts);
const Calls = lazyPart(async () => (await import('./calls.tsx')).Calls);
const BlockedDialog = lazyPart(async () => (await import('./blocked-dialog.tsx')).BlockedDialog);

type IdleServices = typeof import('./idle-services.ts');

const PRESSES = ['pointerdown', 'keydown'] as const;
const subscribeNever = () => () => undefined;

function useIsHydrated(): boolean {
  return useSyncExternalStore(
    subscribeNever,
    () => true,
    () => false,
  );
}

function useIdleServices(client: QueryClient, userId: string | undefined): IdleServices | undefined {
  const [services, setServices] = useState<IdleServices>();
  const rootData = useRootData();
  useEffect(() => {
    if (!userId) return;
    let isStopped = false;
    let close = (): void => undefined;
    const start = async () => {
      const loaded = await loadWhenReachable(() => import('./idle-services.ts'));
      if (isStopped) return;
      setServices(loaded);
      await waitForListeners();
      if (isStopped) return;
      const connection = loaded.startIdleServices(client, rootData);
      setConnection(connection);
      close = () => {
        setConnection(undefined);
        connection.close();
      };
    };
    const cancel = runWhenIdle(() => void start());
    return () => {
      isStopped = true;
      cancel();
      close();
    };
  }, [client, userId, rootData]);
  return services;
}

/**
 * Returns true once a toast is pending. For logged-in users the toaster already loads with the first press, so that it
 * also works offline.
 */
function useToasts(isSignedIn: boolean): boolean {
  const [isNeeded, setNeeded] = useState(false);
  useEffect(() => {
    const markNeeded = () => setNeeded(true);
    const stop = onSignal('toast', markNeeded);
    if (isToasterRequested()) markNeeded();
    if (isSignedIn) for (const press of PRESSES) addEventListener(press, markNeeded, { once: true, passive: true });
    return () => {
      stop();
      for (const press of PRESSES) removeEventListener(press, markNeeded);
    };
  }, [isSignedIn]);
  return isNeeded;
}

function useStoredVisit(): void {
  const viewer = useViewer();
  const { pathname, search } = useLocation();
  useEffect(() => {
    if (viewer) {
      deleteUnsent(localStore, viewer.id);
      saveRegisteredText(sessionStore, undefined);
    }
    saveUser(localStore, viewer);
    getDeviceSessionId(sessionStore);
  }, [viewer]);
  useEffect(() => saveVisit(sessionStore, pathname + search), [pathname, search]);
}

function useModuleListeners(client: QueryClient, viewer: Viewer | null): void {
  const { id, type } = viewer ?? {};
  usePresenceListener();
  useEffect(() => {
    if (!id || !type) return;
    const stops = MODULES.flatMap(({ live = [] }) => live.map((listen) => listen(client, { id, type })));
    return () => {
      for (const stop of stops) stop();
    };
  }, [client, id, type]);
}

/** Renders the page again if the server did not know the time zone of this browser. */
function useOwnTimeZone(viewer: Viewer | null): void {
  const { revalidate } = useRevalidator();
  const hasOwn = viewer !== null && viewer.type !== 'operator';
  useEffect(() => {
    if (hasOwn && updateTimeZone()) void revalidate();
  }, [hasOwn, revalidate]);
}

function HydratedContent() {
  const client = useQueryClient();
  const viewer = useViewer();
  const [isBlocked, setBlocked] = useState(false);
  const [hasCalls, setHasCalls] = useState(false);
  const hasToasts = useToasts(viewer !== null);
  useStoredVisit();
  useOwnTimeZone(viewer);
  useEffect(watchTypedText, []);
  const services = useIdleServices(client, viewer?.id);
  useModuleListeners(client, viewer);
  useEffect(() => onSignal('blocked', () => setBlocked(true)), []);
  useEffect(() => onSignal('call', () => setHasCalls(true)), []);
  useEffect(() => onSignal('unauthorized', () => leaveEndedSession(client)), [client]);
  return (
    <>
      <ConnectionStrip />
      {services && <services.IdleParts />}
      <Suspense fallback={null}>{hasCalls && <Calls />}</Suspense>
      <Suspense fallback={null}>
        {hasToasts && <Toasts />}
        {isBlocked && <BlockedDialog onClose={() => setBlocked(false)} />}
      </Suspense>
    </>
  );
}

export function HydratedUi() {
  return useIsHydrated() ? <HydratedContent /> : null;
}
