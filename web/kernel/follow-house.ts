/** Keeps what the house says true in a tab that is open: asked again when it is told to have changed, when an announcement begins or ends, and after a lost connection. */
import { houseChanged, readHouse } from '@stagedoor/contract/house.ts';
import type { HouseSaid } from '@stagedoor/contract/page-frame.ts';
import { takeHouse } from './house.ts';
import { onConnected, onEvent } from './live.ts';
import { api } from './mutation.ts';

/** Every server knows of a change after so long; and not all tabs ask at once. */
const KNOWN_MS = 4_000;
const SPREAD_MS = 8_000;
const FRESH_MS = 10_000;
/** The longest that a browser's timer counts. */
const LONGEST_MS = 2_147_483_000;

/** `first`: what the document was told. Answers the function that stops it. */
export function followHouse(first: HouseSaid | undefined): () => void {
  let timer: number | undefined;
  let isGone = false;
  const plan = (ms: number) => {
    window.clearTimeout(timer);
    if (!isGone) timer = window.setTimeout(() => void ask(), Math.min(ms, LONGEST_MS));
  };
  const planNext = (house: HouseSaid | undefined) => {
    if (house?.changesAt) plan(Math.max(Date.parse(house.changesAt) - Date.now(), 0) + Math.random() * SPREAD_MS);
  };
  const ask = async () => {
    try {
      const house = await api(readHouse, {}, { showErrorMessage: false });
      if (isGone) return;
      takeHouse(house);
      planNext(house);
    } catch {
      // The next change, or the next connection, asks again; until then whoever presses is told by the refusal.
    }
  };
  const soon = () => plan(KNOWN_MS + Math.random() * SPREAD_MS);
  // A page that was just loaded knows it.
  const reconnected = () => {
    if (performance.now() > FRESH_MS) soon();
  };
  const stops = [onEvent(houseChanged, soon), onConnected(reconnected)];
  planNext(first);
  return () => {
    isGone = true;
    window.clearTimeout(timer);
    for (const stop of stops) stop();
  };
}
