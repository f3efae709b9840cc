/**
 * Shows the offline banner and, while offline, prevents document loads, which would show the browser's own error page.
 */

import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { useNavigation } from 'react-router';
import { useIsDisconnected } from '../platform/socket-events.ts';
import { useTopSpace } from '../platform/top-space.ts';
import { Banner } from '../ui/states.tsx';
import * as texts from './texts.ts';

const GRACE_MS = 2_000;

export function subscribeOnline(change: () => void): () => void {
  addEventListener('online', change);
  addEventListener('offline', change);
  return () => {
    removeEventListener('online', change);
    removeEventListener('offline', change);
  };
}

function isDocumentLink(event: MouseEvent): boolean {
  if (event.defaultPrevented || event.button !== 0) return false;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return false;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link?.href || link.origin !== location.origin || link.target !== '' || link.hasAttribute('download'))
    return false;
  return !(link.pathname === location.pathname && link.search === location.search && link.hash !== '');
}

function useBlockedNavigation(): boolean {
  const [hasBlocked, setBlocked] = useState(false);
  useEffect(() => {
    const block = (event: Event) => {
      event.preventDefault();
      setBlocked(true);
    };
    const blockLink = (event: MouseEvent) => {
      if (isDocumentLink(event)) block(event);
    };
    const blockForm = (event: SubmitEvent) => {
      if (!event.defaultPrevented) block(event);
    };
    window.addEventListener('click', blockLink);
    window.addEventListener('submit', blockForm);
    return () => {
      window.removeEventListener('click', blockLink);
      window.removeEventListener('submit', blockForm);
    };
  }, []);
  return hasBlocked;
}

/** Moves sticky page headers below the banner. */
function Strip({ children }: { children: ReactNode }) {
  useTopSpace('strip', true);
  return (
    <div className="strip">
      <Banner kind="offline">{children}</Banner>
    </div>
  );
}

function OfflineStrip() {
  const hasBlocked = useBlockedNavigation();
  const isWaiting = useNavigation().state === 'loading';
  const message = isWaiting
    ? texts.offlineWaitingMessage
    : hasBlocked
      ? texts.offlineBlockedMessage
      : texts.offlineSendMessage;
  return <Strip>{formatText(texts.offlineNotice, { message })}</Strip>;
}

function ReconnectingStrip() {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), GRACE_MS);
    return () => clearTimeout(timer);
  }, []);
  return isLong ? <Strip>{texts.reconnecting}</Strip> : null;
}

export function ConnectionStrip() {
  const isDisconnected = useIsDisconnected();
  const isOnline = useSyncExternalStore(
    subscribeOnline,
    () => navigator.onLine,
    () => true,
  );
  if (!isOnline) return <OfflineStrip />;
  return isDisconnected ? <ReconnectingStrip /> : null;
}
