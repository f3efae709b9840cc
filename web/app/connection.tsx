/**
 * Shows the offline banner and, while offline, prevents document loads, which would show the browser's own error page.
 */
import { type ReactNode, useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import { useNavigation } from 'react-router';
import { useIsCut } from '../kernel/live.ts';
import { Banner } from '../ui/states.tsx';

const GRACE_MS = 2_000;

export function listenOnline(change: () => void): () => void {
  addEventListener('online', change);
  addEventListener('offline', change);
  return () => {
    removeEventListener('online', change);
    removeEventListener('offline', change);
  };
}

function loadsDocument(event: MouseEvent): boolean {
  if (event.defaultPrevented || event.button !== 0) return false;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return false;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link?.href || link.origin !== location.origin || link.target !== '' || link.hasAttribute('download'))
    return false;
  return !(link.pathname === location.pathname && link.search === location.search && link.hash !== '');
}

function useHold(): boolean {
  const [hasHeld, setHeld] = useState(false);
  useEffect(() => {
    const hold = (event: Event) => {
      event.preventDefault();
      setHeld(true);
    };
    const holdLink = (event: MouseEvent) => {
      if (loadsDocument(event)) hold(event);
    };
    const holdForm = (event: SubmitEvent) => {
      if (!event.defaultPrevented) hold(event);
    };
    window.addEventListener('click', holdLink);
    window.addEventListener('submit', holdForm);
    return () => {
      window.removeEventListener('click', holdLink);
      window.removeEventListener('submit', holdForm);
    };
  }, []);
  return hasHeld;
}

/** Moves sticky page headers below the banner. */
function Strip({ children }: { children: ReactNode }) {
  useLayoutEffect(() => {
    const { dataset } = document.documentElement;
    dataset.strip = '';
    return () => {
      delete dataset.strip;
    };
  }, []);
  return (
    <div className="strip">
      <Banner kind="offline">{children}</Banner>
    </div>
  );
}

function Offline() {
  const hasHeld = useHold();
  const isWaiting = useNavigation().state === 'loading';
  const words = isWaiting
    ? 'This page will open when you’re back online.'
    : hasHeld
      ? 'You can open this page when you’re back online.'
      : 'Nothing will be sent until you’re back online.';
  return <Strip>{`You’re offline. ${words}`}</Strip>;
}

function Cut() {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), GRACE_MS);
    return () => clearTimeout(timer);
  }, []);
  return isLong ? <Strip>Reconnecting…</Strip> : null;
}

export function ConnectionStrip() {
  const isCut = useIsCut();
  const isOnline = useSyncExternalStore(
    listenOnline,
    () => navigator.onLine,
    () => true,
  );
  if (!isOnline) return <Offline />;
  return isCut ? <Cut /> : null;
}
