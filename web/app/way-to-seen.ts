import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { type Location, useLocation } from 'react-router';
import { isBusy } from '../kernel/busy.ts';
import { openDocument } from '../kernel/page-exit.ts';
import { useThere } from '../kernel/there.ts';
import { isUnsaved } from '../kernel/unsaved.ts';

/** A page that stays empty longer than this has no cached data. */
const EMPTY_MS = 600;
const EMPTY = '#main [aria-busy="true"] .skeleton, #main [data-awaited]';

const addressOf = ({ pathname, search, hash }: Pick<Location, 'pathname' | 'search' | 'hash'>) =>
  pathname + search + hash;

function isEmptyHere(): boolean {
  return [...document.querySelectorAll(EMPTY)].some((place) => {
    const { top, height } = place.getBoundingClientRect();
    return height > 0 && top < innerHeight;
  });
}

/**
 * Reloads an empty page as a document while offline, because the service worker serves the stored copy. It does nothing
 * while input or requests are unfinished, or without that worker.
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
