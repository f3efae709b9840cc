/** This tab's device session ID for calls. It survives a reload, and a duplicated tab gets a different one. */
import { deviceSessionId } from '../../kernel/storage.ts';

let own: Promise<string> | undefined;

/** Holds a lock on the ID while the tab lives. A duplicated tab finds it locked and creates its own. */
function claim(name: string): Promise<boolean> {
  if (!navigator.locks) return Promise.resolve(true);
  return new Promise((resolve) => {
    void navigator.locks.request(`call-device:${name}`, { ifAvailable: true }, (held) => {
      resolve(held !== null);
      return held ? new Promise(() => undefined) : undefined;
    });
  });
}

async function findName(): Promise<string> {
  const known = deviceSessionId(sessionStorage);
  return (await claim(known)) ? known : crypto.randomUUID();
}

export function deviceName(): Promise<string> {
  own ??= findName();
  return own;
}
