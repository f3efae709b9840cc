import { EventEmitter } from 'node:events';
import type { WorkerEvents } from 'graphile-worker';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { limitWakeUps } from './wake-ups.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function createPool(intervalMs: number) {
  const wakeAny = vi.fn();
  const workerPool = { nudge: wakeAny };
  const emitter = new EventEmitter();
  limitWakeUps(workerPool, emitter as WorkerEvents, intervalMs);
  const createWorker = () => {
    const worker = {
      nudge: vi.fn(() => {
        emitter.emit('worker:getJob:start', { worker });
        return true;
      }),
    };
    return { ...worker, becomeIdle: () => void emitter.emit('worker:getJob:empty', { worker }) };
  };
  return { workerPool, wakeAny, createWorker, emitter };
}

test('a queue is woken at once, and for all jobs of the following interval together at its end', () => {
  const { workerPool, wakeAny } = createPool(100);
  for (let jobs = 0; jobs < 5; jobs += 1) workerPool.nudge(1);
  expect(wakeAny.mock.calls).toEqual([[1]]);
  vi.advanceTimersByTime(99);
  expect(wakeAny).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1);
  expect(wakeAny.mock.calls).toEqual([[1], [4]]);
  workerPool.nudge(2);
  vi.advanceTimersByTime(100);
  expect(wakeAny.mock.calls).toEqual([[1], [4], [2]]);
  vi.advanceTimersByTime(1_000);
  workerPool.nudge(1);
  expect(wakeAny).toHaveBeenCalledTimes(4);
});

test('each job wakes one idle worker, and without an idle worker the busy ones look again', () => {
  const { workerPool, wakeAny, createWorker } = createPool(0);
  const [first, second] = [createWorker(), createWorker()];
  for (const { becomeIdle } of [first, second]) becomeIdle();
  workerPool.nudge(1);
  expect([first.nudge.mock.calls.length, second.nudge.mock.calls.length]).toEqual([1, 0]);
  workerPool.nudge(1);
  expect([first.nudge.mock.calls.length, second.nudge.mock.calls.length]).toEqual([1, 1]);
  first.becomeIdle();
  workerPool.nudge(3);
  expect(first.nudge).toHaveBeenCalledTimes(2);
  expect(wakeAny).not.toHaveBeenCalled();
  workerPool.nudge(3);
  expect(wakeAny.mock.calls).toEqual([[3]]);
});

test('a queue that shuts down is woken no more, not even for jobs that waited for the end of the interval', () => {
  const { workerPool, wakeAny, emitter } = createPool(100);
  for (let jobs = 0; jobs < 2; jobs += 1) workerPool.nudge(1);
  emitter.emit('pool:gracefulShutdown', {});
  vi.advanceTimersByTime(1_000);
  workerPool.nudge(1);
  expect(wakeAny).toHaveBeenCalledTimes(1);
});
