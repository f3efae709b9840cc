/** This tab's name for itself in calls: kept while it is reloaded, and never that of a tab it was copied from. */
import { deviceSessionId } from '../../kernel/storage.ts';

let own: Promise<string> | undefined;

/** Holds the name for as long as the tab lives; a copy of a tab finds it held and takes one of its own. */
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
