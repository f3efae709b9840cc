/** What both sides of the fan-out are asked: to send one event to everybody connected, so many times, evenly spread. */
import { setTimeout as sleep } from 'node:timers/promises';

export type Emits = {
  emits: number;
  perSecond: number;
  /** The event as it is on the wire, and its payload. */
  text: string;
  payload: object;
};

/** Calls `emit` so many times. It goes on as late as it must, never faster. */
export async function emitEvenly({ emits, perSecond }: Emits, emit: () => void): Promise<number> {
  for (let n = 0; n < emits; n += 1) {
    emit();
    await sleep(1000 / perSecond);
  }
  return emits;
}
