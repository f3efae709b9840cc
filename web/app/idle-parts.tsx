import { useSyncExternalStore } from 'react';
import { subscribeOnline } from './connection.tsx';
import { HashFocus } from './hash-focus.ts';
import { OfflineFallback } from './offline-fallback.ts';

export function IdleParts() {
  const isOnline = useSyncExternalStore(subscribeOnline, () => navigator.onLine);
  return (
    <>
      <HashFocus />
      {!isOnline && <OfflineFallback />}
    </>
  );
}
