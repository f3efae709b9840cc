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
const SOON = 12_000;
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers();
  ask.mockReset().mockResolvedValue({});
  take.mockReset();
});
afterEach(() => void vi.useRealTimers());

test('several change events cause one request, and none after the end', async () => {
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

test('a change event during a request causes another request, whatever the response schedules', async () => {
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

test('the status is requested when an announcement begins or ends, and again after a failure', async () => {
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

test('a device with a wrong clock sends at most two requests per minute', async () => {
  const past = inMs(-86_400_000);
  ask.mockImplementation(async () => ({ changesAt: past }));
  const stop = followHouse({ changesAt: past });
  await pass(600_000);
  expect(ask.mock.calls.length).toBeLessThanOrEqual(20);
  stop();
});
