/**
 * Keeps the site status of an open tab up to date: refetched after a change event, when an announcement begins or ends,
 * and after a reconnect.
 */
import { houseChanged, readHouse } from '@stagedoor/contract/house.ts';
import type { HouseSaid } from '@stagedoor/contract/page-frame.ts';
import { takeHouse } from './house.ts';
import { onConnected, onEvent } from './live.ts';
import { api } from './mutation.ts';

/** How long a change takes to reach every server, and the random delay that spreads the requests of all tabs. */
const KNOWN_MS = 4_000;
const SPREAD_MS = 8_000;
/** The delay before a retry, and the minimum interval if the device clock is wrong. */
const AGAIN_MS = 30_000;
/** A page loaded this recently is up to date. */
const FRESH_MS = 3_000;
/** The maximum delay of a browser timer. */
const LONGEST_MS = 2_147_483_000;

const spread = (ms: number) => ms + Math.random() * SPREAD_MS;

/**
 * Returns the function that stops it.
 * @param first The site status that the document was rendered with.
 */
export function followHouse(first: HouseSaid | undefined): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let dueAt = Number.POSITIVE_INFINITY;
  let isGone = false;
  const plan = (ms: number) => {
    const at = performance.now() + ms;
    if (isGone || at >= dueAt) return;
    dueAt = at;
    clearTimeout(timer);
    timer = setTimeout(
      () => {
        dueAt = Number.POSITIVE_INFINITY;
        void ask();
      },
      Math.min(ms, LONGEST_MS),
    );
  };
  const planNext = (house: HouseSaid | undefined) => {
    if (!house?.changesAt) return;
    const ms = Date.parse(house.changesAt) - Date.now();
    plan(spread(ms > 0 ? ms : AGAIN_MS));
  };
  const ask = async () => {
    try {
      const house = await api(readHouse, {}, { showErrorMessage: false });
      if (isGone) return;
      takeHouse(house);
      planNext(house);
    } catch {
      // Until the retry, users of a stopped feature see the server's refusal.
      plan(spread(AGAIN_MS));
    }
  };
  const soon = () => plan(spread(KNOWN_MS));
  const reconnected = () => {
    if (performance.now() > FRESH_MS) soon();
  };
  const stops = [onEvent(houseChanged, soon), onConnected(reconnected)];
  planNext(first);
  return () => {
    isGone = true;
    clearTimeout(timer);
    for (const stop of stops) stop();
  };
}
