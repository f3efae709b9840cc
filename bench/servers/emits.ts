/**
 * The request to both sides of the fan-out bench: emit one event to all connected sockets, this many times, evenly
 * spread.
 */
import { setTimeout as sleep } from 'node:timers/promises';

export type EmitJob = {
  emits: number;
  perSecond: number;
  text: string;
  payload: object;
};

export async function emitEvenly({ emits, perSecond }: EmitJob, emit: () => void): Promise<number> {
  for (let n = 0; n < emits; n += 1) {
    emit();
    await sleep(1000 / perSecond);
  }
  return emits;
}
