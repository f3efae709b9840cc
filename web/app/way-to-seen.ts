/** Without a connection: from a page of which nothing is here to what its person saw last. It comes with the connection's own code. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { type Location, useLocation } from 'react-router';
import { isBusy } from '../kernel/busy.ts';
import { openDocument } from '../kernel/page-exit.ts';
import { useThere } from '../kernel/there.ts';
import { isUnsaved } from '../kernel/unsaved.ts';

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
export function WayToSeen(): null {
  const client = useQueryClient();
  const address = addressOf(useThere());
  const before = useRef(addressOf(useLocation()));
  useEffect(() => {
    if (address === before.current || !navigator.serviceWorker?.controller) return;
    const timer = setInterval(() => {
      if (!isEmptyHere() || isBusy() || isUnsaved() || client.isMutating() > 0) return;
      clearInterval(timer);
      openDocument(address);
    }, EMPTY_MS);
    return () => clearInterval(timer);
  }, [address, client]);
  return null;
}
