/**
 * The site status: kill switches, maintenance and announcements, from the document or from a later update (see
 * watch-site-status.ts).
 */

import type { KillSwitch } from '@stagedoor/contract/shared/kill-switches.ts';
import type { PageSiteStatus } from '@stagedoor/contract/shared/page-frame.ts';
import { useSyncExternalStore } from 'react';
import { useRouteLoaderData } from 'react-router';

let current: PageSiteStatus | undefined;
const listeners = new Set<() => void>();
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export function setSiteStatus(siteStatus: PageSiteStatus): void {
  current = siteStatus;
  for (const listener of listeners) listener();
}

export function useSiteStatus(): PageSiteStatus | undefined {
  const initial = useRouteLoaderData<() => PageSiteStatus>('root');
  return (
    useSyncExternalStore(
      subscribe,
      () => current,
      () => undefined,
    ) ?? initial
  );
}

/** Returns the message of an active kill switch, so that users see it before they press. */
export const useFeatureDisabledMessage = (name: KillSwitch): string | undefined =>
  useSiteStatus()?.disabledFeatures?.[name];
