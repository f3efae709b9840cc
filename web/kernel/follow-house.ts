/** Keeps what the house says true in a tab that is open: asked again when it is told to have changed, when an announcement begins or ends, and after a lost connection. */
import { houseChanged, readHouse } from '@stagedoor/contract/house.ts';
import type { HouseSaid } from '@stagedoor/contract/page-frame.ts';
import { takeHouse } from './house.ts';
import { onConnected, onEvent } from './live.ts';
import { api } from './mutation.ts';

/** Every server knows of a change after so long; and not all tabs ask at once. */
const KNOWN_MS = 4_000;
const SPREAD_MS = 8_000;
/** What could not be asked, or is due by a clock of the device that is wrong, is asked again after so long. */
const AGAIN_MS = 30_000;
/** A page that was loaded so lately knows it. */
const FRESH_MS = 3_000;
/** The longest that a browser's timer counts. */
const LONGEST_MS = 2_147_483_000;

const spread = (ms: number) => ms + Math.random() * SPREAD_MS;

/** `first`: what the document was told. Answers the function that stops it. */
export function followHouse(first: HouseSaid | undefined): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let dueAt = Number.POSITIVE_INFINITY;
  let isGone = false;
  /** The soonest counts: what is planned is never put off. */
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
      // Until then whoever presses is told by the refusal.
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
