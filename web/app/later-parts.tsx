import { useSyncExternalStore } from 'react';
import { listenOnline } from './connection.tsx';
import { Landing } from './landing.ts';
import { WayToSeen } from './way-to-seen.ts';

export function Later() {
  const isOnline = useSyncExternalStore(listenOnline, () => navigator.onLine);
  return (
    <>
      <Landing />
      {!isOnline && <WayToSeen />}
    </>
  );
}
