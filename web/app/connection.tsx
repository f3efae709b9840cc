/**
 * Without a connection: the strip that says so, over every page and beside none of its parts, and what would load a document, which
 * waits. Without one that would be the browser's own error page instead of ours.
 */

import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { type Location, useLocation, useNavigation } from 'react-router';
import { isBusy } from '../kernel/busy.ts';
import { useIsCut } from '../kernel/live.ts';
import { useThere } from '../kernel/there.ts';
import { isUnsaved } from '../kernel/unsaved.ts';
import { Banner } from '../ui/states.tsx';

/** What comes back sooner than this was never gone. */
const GRACE_MS = 2_000;

function listenOnline(change: () => void): () => void {
  addEventListener('online', change);
  addEventListener('offline', change);
  return () => {
    removeEventListener('online', change);
    removeEventListener('offline', change);
  };
}

/** Whether a click leads to another document of ours in this tab; what the app opens by itself was answered before. */
function loadsDocument(event: MouseEvent): boolean {
  if (event.defaultPrevented || event.button !== 0) return false;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return false;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link?.href || link.origin !== location.origin || link.target !== '' || link.hasAttribute('download'))
    return false;
  return !(link.pathname === location.pathname && link.search === location.search && link.hash !== '');
}

/** Holds what would load a document. Answers whether something was held. */
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

/** Room is made for it: what sticks to the top of a page sticks below it. */
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

/** What is on its way for longer than this has nothing here to be shown of it. */
const EMPTY_MS = 600;
const EMPTY = '#main [aria-busy="true"] .skeleton, #main [data-awaited]';

const addressOf = ({ pathname, search, hash }: Pick<Location, 'pathname' | 'search' | 'hash'>) =>
  pathname + search + hash;

/** Whether what one sees of the page only stands for what is to come. */
function isEmptyHere(): boolean {
  return [...document.querySelectorAll(EMPTY)].some((place) => {
    const { top, height } = place.getBoundingClientRect();
    return height > 0 && top < innerHeight;
  });
}

/**
 * A page that one goes to without a connection and of which nothing is here is loaded as a document: the app's worker answers with what
 * its person saw last. Nothing that is typed, sent or under way is broken off for it, and without that worker the page waits.
 */
function useWayToSeen(): void {
  const client = useQueryClient();
  const address = addressOf(useThere());
  const before = useRef(addressOf(useLocation()));
  useEffect(() => {
    if (address === before.current || !navigator.serviceWorker?.controller) return;
    const timer = setInterval(() => {
      if (!isEmptyHere() || isBusy() || isUnsaved() || client.isMutating() > 0) return;
      clearInterval(timer);
      location.assign(address);
    }, EMPTY_MS);
    return () => clearInterval(timer);
  }, [address, client]);
}

function Offline() {
  const hasHeld = useHold();
  const isWaiting = useNavigation().state === 'loading';
  useWayToSeen();
  const words = isWaiting
    ? 'That page opens once you’re back.'
    : hasHeld
      ? 'That page can be opened once you’re back.'
      : 'Nothing is sent until you’re back.';
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
