import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { type Location, useLocation } from 'react-router';
import { openDocument } from '../platform/page-exit.ts';
import { usePendingLocation } from '../platform/pending-location.ts';
import { isReloadBlocked } from '../platform/reload-guard.ts';
import { hasUnsavedChanges } from '../platform/unsaved.ts';

/** A page that stays empty longer than this has no cached data. */
const EMPTY_MS = 600;
const EMPTY = '#main [aria-busy="true"] .skeleton, #main [data-awaited]';

const toAddress = ({ pathname, search, hash }: Pick<Location, 'pathname' | 'search' | 'hash'>) =>
  pathname + search + hash;

function isPageEmpty(): boolean {
  return [...document.querySelectorAll(EMPTY)].some((element) => {
    const { top, height } = element.getBoundingClientRect();
    return height > 0 && top < innerHeight;
  });
}

/**
 * Reloads an empty page as a document while offline, because the service worker serves the stored copy. It does nothing
 * while input or requests are unfinished, or without that worker.
 */
export function OfflineFallback(): null {
  const client = useQueryClient();
  const address = toAddress(usePendingLocation());
  const before = useRef(toAddress(useLocation()));
  useEffect(() => {
    if (address === before.current || !navigator.serviceWorker?.controller) return;
    const timer = setInterval(() => {
      if (!isPageEmpty() || isReloadBlocked() || hasUnsavedChanges() || client.isMutating() > 0) return;
      clearInterval(timer);
      openDocument(address);
    }, EMPTY_MS);
    return () => clearInterval(timer);
  }, [address, client]);
  return null;
}
