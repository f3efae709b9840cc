import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchSiteStatus } from './watch-site-status.ts';

const { request, setStatus, listeners } = vi.hoisted(() => ({
  request: vi.fn<() => Promise<object>>(),
  setStatus: vi.fn(),
  listeners: { changed: (): unknown => undefined, connected: (): unknown => undefined },
}));
vi.mock('./mutation.ts', () => ({ api: request }));
vi.mock('./site-status.ts', () => ({ setSiteStatus: setStatus }));
vi.mock('./socket-events.ts', () => ({
  onEvent: (_event: object, listener: () => void) => {
    listeners.changed = listener;
    return () => undefined;
  },
  onConnected: (listener: () => void) => {
    listeners.connected = listener;
    return () => undefined;
  },
}));

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
const SOON = 12_000;
const advance = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers();
  request.mockReset().mockResolvedValue({});
  setStatus.mockReset();
});
afterEach(() => void vi.useRealTimers());

test('several change events cause one request, and none after the end', async () => {
  const stop = watchSiteStatus({});
  await advance(SOON);
  expect(request).not.toHaveBeenCalled();
  listeners.changed();
  listeners.changed();
  await advance(SOON);
  expect(request).toHaveBeenCalledTimes(1);
  expect(setStatus).toHaveBeenCalledExactlyOnceWith({});
  listeners.connected();
  stop();
  await advance(SOON);
  expect(request).toHaveBeenCalledTimes(1);
});

test('a change event during a request causes another request, whatever the response schedules', async () => {
  let respond = (_status: object): void => undefined;
  request.mockReturnValueOnce(new Promise((resolve) => (respond = resolve)));
  const stop = watchSiteStatus({});
  listeners.changed();
  await advance(SOON);
  listeners.changed();
  respond({ changesAt: inMs(3_600_000) });
  await advance(SOON);
  expect(request).toHaveBeenCalledTimes(2);
  stop();
});

test('the status is requested when an announcement begins or ends, and again after a failure', async () => {
  request.mockRejectedValueOnce(new Error('502'));
  const stop = watchSiteStatus({ changesAt: inMs(600_000) });
  await advance(599_000);
  expect(request).not.toHaveBeenCalled();
  await advance(SOON);
  expect(request).toHaveBeenCalledTimes(1);
  await advance(40_000);
  expect(request).toHaveBeenCalledTimes(2);
  await advance(3_600_000);
  expect(request).toHaveBeenCalledTimes(2);
  stop();
});

test('a device with a wrong clock sends at most two requests per minute', async () => {
  const past = inMs(-86_400_000);
  request.mockImplementation(async () => ({ changesAt: past }));
  const stop = watchSiteStatus({ changesAt: past });
  await advance(600_000);
  expect(request.mock.calls.length).toBeLessThanOrEqual(20);
  stop();
});
