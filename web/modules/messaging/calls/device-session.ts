/** This tab's device session ID for calls. It survives a reload, and a duplicated tab gets a different one. */
import { sessionStore } from '../../../platform/browser-storage.ts';
import { getDeviceSessionId } from '../../../platform/storage.ts';

let ownSessionId: Promise<string> | undefined;

/** Holds a lock on the ID while the tab lives. A duplicated tab finds it locked and creates its own. */
function claimSessionId(id: string): Promise<boolean> {
  if (!navigator.locks) return Promise.resolve(true);
  return new Promise((resolve) => {
    void navigator.locks.request(`call-device:${id}`, { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      return lock ? new Promise(() => undefined) : undefined;
    });
  });
}

async function findSessionId(): Promise<string> {
  const storedId = getDeviceSessionId(sessionStore);
  return (await claimSessionId(storedId)) ? storedId : crypto.randomUUID();
}

export function getOwnDeviceId(): Promise<string> {
  ownSessionId ??= findSessionId();
  return ownSessionId;
}
