/** A tab keeps what the house says: told of a change it asks, once; it asks again where it failed, and never all the time. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { followHouse } from './follow-house.ts';

const { ask, take, told } = vi.hoisted(() => ({
  ask: vi.fn<() => Promise<object>>(),
  take: vi.fn(),
  told: { changed: (): unknown => undefined, connected: (): unknown => undefined },
}));
vi.mock('./mutation.ts', () => ({ api: ask }));
vi.mock('./house.ts', () => ({ takeHouse: take }));
vi.mock('./live.ts', () => ({
  onEvent: (_event: object, listener: () => void) => {
    told.changed = listener;
    return () => undefined;
  },
  onConnected: (listener: () => void) => {
    told.connected = listener;
    return () => undefined;
  },
}));

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
/** Beyond what is waited until every server knows, and the spread. */
const SOON = 12_000;
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers();
  ask.mockReset().mockResolvedValue({});
  take.mockReset();
});
afterEach(() => void vi.useRealTimers());

test('told of changes it asks once, takes the answer, and is silent after its end', async () => {
  const stop = followHouse({});
  await pass(SOON);
  expect(ask).not.toHaveBeenCalled();
  told.changed();
  told.changed();
  await pass(SOON);
  expect(ask).toHaveBeenCalledTimes(1);
  expect(take).toHaveBeenCalledExactlyOnceWith({});
  told.connected();
  stop();
  await pass(SOON);
  expect(ask).toHaveBeenCalledTimes(1);
});

test('a change that is told while an answer is under way is asked for, though that answer says when the next one is', async () => {
  let answer = (_house: object): void => undefined;
  ask.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
  const stop = followHouse({});
  told.changed();
  await pass(SOON);
  told.changed();
  answer({ changesAt: inMs(3_600_000) });
  await pass(SOON);
  expect(ask).toHaveBeenCalledTimes(2);
  stop();
});

test('it asks when an announcement begins or ends, and again where that failed', async () => {
  ask.mockRejectedValueOnce(new Error('502'));
  const stop = followHouse({ changesAt: inMs(600_000) });
  await pass(599_000);
  expect(ask).not.toHaveBeenCalled();
  await pass(SOON);
  expect(ask).toHaveBeenCalledTimes(1);
  await pass(40_000);
  expect(ask).toHaveBeenCalledTimes(2);
  await pass(3_600_000);
  expect(ask).toHaveBeenCalledTimes(2);
  stop();
});

test('on a device whose clock is ahead it asks twice a minute at the most', async () => {
  const past = inMs(-86_400_000);
  ask.mockImplementation(async () => ({ changesAt: past }));
  const stop = followHouse({ changesAt: past });
  await pass(600_000);
  expect(ask.mock.calls.length).toBeLessThanOrEqual(20);
  stop();
});
