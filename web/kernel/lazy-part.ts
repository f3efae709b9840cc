/** Code that comes later than its page. Without a connection it is waited for: nothing on the page breaks meanwhile. */
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

const PAUSE_MS = 1_000;
/** Failures in a row while the server answers, after which the code is not there, as after a new release. */
const FAILURES = 3;

/** The moment to try again: once there is a connection, else after a pause. */
function nextChance(): Promise<void> {
  return new Promise((resolve) => {
    if (navigator.onLine) setTimeout(resolve, PAUSE_MS);
    else addEventListener('online', () => resolve(), { once: true });
  });
}

/** Whether the server answers. A browser calls itself online as soon as there is any network. */
async function answers(): Promise<boolean> {
  if (!navigator.onLine) return false;
  try {
    return (await fetch('/healthz', { cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}

/** What `load` brings, asked for again until the server answers. Rejects when it fails while the server does. */
export async function whenReachable<T>(load: () => Promise<T>): Promise<T> {
  let failures = 0;
  for (;;) {
    try {
      return await load();
    } catch (error) {
      if (await answers()) failures += 1;
      if (failures >= FAILURES) throw error;
    }
    await nextChance();
  }
}

/** A component whose code comes when it is first shown. Its Suspense shows its fallback for as long as there is no connection. */
export function lazyPart<P>(load: () => Promise<ComponentType<P>>): LazyExoticComponent<ComponentType<P>> {
  return lazy(async () => ({ default: await whenReachable(load) }));
}
