import type { LoadSample } from './rounds.ts';

/** Repeats work in this process and measures its CPU. Returns to the event loop after each `batch` repetitions. */
export async function measureLoop(work: () => unknown, seconds: number, batch = 100): Promise<LoadSample> {
  const end = performance.now() + seconds * 1_000;
  const before = process.cpuUsage();
  let count = 0;
  while (performance.now() < end) {
    for (let n = 0; n < batch; n += 1) await work();
    count += batch;
  }
  const { user, system } = process.cpuUsage(before);
  const cpuMs = (user + system) / 1_000 / count;
  return { rate: count / seconds, cpuMs, nodeMs: cpuMs, p50Ms: 0, p99Ms: 0, count };
}
