import type { Worker, WorkerEvents, WorkerPool } from 'graphile-worker';

/**
 * Limits the queries that new jobs cause. PostgreSQL notifies every queue of every job, whichever queue runs it, and
 * graphile-worker then makes all workers that are looking for a job look again.
 *
 * Here one idle worker looks per job, because a worker looks until it finds none. A queue is woken at once and then once
 * more per interval, so no job waits longer than that.
 * @param events Emits the events of this pool's workers only.
 * @param intervalMs 0 wakes for every job.
 */
export function limitWakeUps(workerPool: Pick<WorkerPool, 'nudge'>, events: WorkerEvents, intervalMs: number): void {
  const wakeAny = workerPool.nudge.bind(workerPool);
  const idleWorkers = new Set<Pick<Worker, 'nudge'>>();
  events.on('worker:getJob:empty', ({ worker }) => void idleWorkers.add(worker));
  events.on('worker:getJob:start', ({ worker }) => void idleWorkers.delete(worker));
  events.on('worker:release', ({ worker }) => void idleWorkers.delete(worker));
  events.on('worker:stop', ({ worker }) => void idleWorkers.delete(worker));

  const wake = (count: number) => {
    let wokenCount = 0;
    for (const worker of [...idleWorkers]) {
      if (wokenCount === count) return;
      if (worker.nudge()) wokenCount += 1;
    }
    if (wokenCount === 0) wakeAny(count);
  };

  let waitingCount = 0;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  // A released worker throws when it is woken.
  const stop = () => {
    isStopped = true;
    clearTimeout(timer);
  };
  for (const name of ['pool:gracefulShutdown', 'pool:forcefulShutdown', 'pool:release'] as const) events.on(name, stop);
  const wakeAndPause = (count: number) => {
    wake(count);
    if (intervalMs === 0) return;
    timer = setTimeout(() => {
      timer = undefined;
      if (waitingCount === 0) return;
      const waiting = waitingCount;
      waitingCount = 0;
      wakeAndPause(waiting);
    }, intervalMs);
    timer.unref();
  };
  workerPool.nudge = (count) => {
    if (isStopped) return;
    if (timer) waitingCount += count;
    else wakeAndPause(count);
  };
}
