import type { Child, startLoader } from './child.ts';
import type { BenchPostgres } from './database.ts';
import type { LoadJob } from './load.ts';
import type { Sample } from './rounds.ts';

export type Rig = {
  readonly loader: Awaited<ReturnType<typeof startLoader>>;
  readonly postgres: Pick<BenchPostgres, 'cpuMs'>;
};

/**
 * Sends load to `server` and measures it. Throws when a response was not 200, because refusals are fast and would
 * distort the result.
 */
export async function measureHttp(rig: Rig, server: Child, job: Omit<LoadJob, 'port'>): Promise<Sample> {
  const before = await server.usage();
  const databaseBefore = rig.postgres.cpuMs();
  const outcome = await rig.loader.run({ ...job, port: server.port });
  const after = await server.usage();
  const databaseMs = rig.postgres.cpuMs() - databaseBefore;
  if (outcome.failures > 0)
    throw new Error(`${outcome.failures} of ${outcome.count} answers were no success, the first: ${outcome.failure}`);
  if (outcome.count === 0) throw new Error(`${job.method} ${job.paths[0]}: nothing was answered`);
  const nodeMs = (after.cpuMs - before.cpuMs) / outcome.count;
  return {
    rate: outcome.count / outcome.seconds,
    cpuMs: nodeMs + databaseMs / outcome.count,
    nodeMs,
    p50Ms: outcome.p50Ms,
    p99Ms: outcome.p99Ms,
    count: outcome.count,
  };
}
