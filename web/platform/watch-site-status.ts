/**
 * Keeps the site status of an open tab up to date: refetched after a change event, when an announcement begins or ends,
 * and after a reconnect.
 */

import { getSiteStatus, siteStatusChanged } from '@stagedoor/contract/commerce/site-status.ts';
import type { PageSiteStatus } from '@stagedoor/contract/shared/page-frame.ts';
import { api } from './mutation.ts';
import { setSiteStatus } from './site-status.ts';
import { onConnected, onEvent } from './socket-events.ts';

/** How long a change takes to reach every server, and the random delay that spreads the requests of all tabs. */
const PROPAGATION_MS = 4_000;
const SPREAD_MS = 8_000;
/** The delay before a retry, and the minimum interval if the device clock is wrong. */
const RETRY_MS = 30_000;
/** A page loaded this recently is up to date. */
const FRESH_MS = 3_000;
/** The maximum delay of a browser timer. */
const MAX_TIMER_MS = 2_147_483_000;

const addJitter = (ms: number) => ms + Math.random() * SPREAD_MS;

/**
 * Returns the function that stops it.
 * @param initial The site status that the document was rendered with.
 */
export function watchSiteStatus(initial: PageSiteStatus | undefined): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let dueAt = Number.POSITIVE_INFINITY;
  let isStopped = false;
  const schedule = (ms: number) => {
    const at = performance.now() + ms;
    if (isStopped || at >= dueAt) return;
    dueAt = at;
    clearTimeout(timer);
    timer = setTimeout(
      () => {
        dueAt = Number.POSITIVE_INFINITY;
        void refetch();
      },
      Math.min(ms, MAX_TIMER_MS),
    );
  };
  const scheduleNext = (siteStatus: PageSiteStatus | undefined) => {
    if (!siteStatus?.changesAt) return;
    const ms = Date.parse(siteStatus.changesAt) - Date.now();
    schedule(addJitter(ms > 0 ? ms : RETRY_MS));
  };
  const refetch = async () => {
    try {
      const siteStatus = await api(getSiteStatus, {}, { showErrorMessage: false });
      if (isStopped) return;
      setSiteStatus(siteStatus);
      scheduleNext(siteStatus);
    } catch {
      // Until the retry, users of a stopped feature see the server's refusal.
      schedule(addJitter(RETRY_MS));
    }
  };
  const scheduleSoon = () => schedule(addJitter(PROPAGATION_MS));
  const handleReconnect = () => {
    if (performance.now() > FRESH_MS) scheduleSoon();
  };
  const stops = [onEvent(siteStatusChanged, scheduleSoon), onConnected(handleReconnect)];
  scheduleNext(initial);
  return () => {
    isStopped = true;
    clearTimeout(timer);
    for (const stop of stops) stop();
  };
}
