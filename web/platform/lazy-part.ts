import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

const RETRY_MS = 1_000;
/**
 * After this many failures in a row while the server responds, the code no longer exists, for example after a release.
 */
const MAX_FAILURES = 3;

function waitForRetry(): Promise<void> {
  return new Promise((resolve) => {
    if (navigator.onLine) setTimeout(resolve, RETRY_MS);
    else addEventListener('online', () => resolve(), { once: true });
  });
}

/** Whether the server responds. Browsers count as online as soon as there is any network. */
async function isServerReachable(): Promise<boolean> {
  if (!navigator.onLine) return false;
  try {
    return (await fetch('/healthz', { cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}

/** Retries `load` until the server responds. Rejects if it fails while the server responds. */
export async function loadWhenReachable<T>(load: () => Promise<T>): Promise<T> {
  let failures = 0;
  for (;;) {
    try {
      return await load();
    } catch (error) {
      if (await isServerReachable()) failures += 1;
      if (failures >= MAX_FAILURES) throw error;
    }
    await waitForRetry();
  }
}

/** A component whose code loads when it is first rendered. While offline its Suspense boundary shows the fallback. */
export function lazyPart<P>(load: () => Promise<ComponentType<P>>): LazyExoticComponent<ComponentType<P>> {
  return lazy(async () => ({ default: await loadWhenReachable(load) }));
}
