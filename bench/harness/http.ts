import type { Child, startLoader } from './child.ts';
import type { BenchPostgres } from './database.ts';
import type { LoadJob } from './load.ts';
import type { LoadSample } from './rounds.ts';

export type MeasureTools = {
  readonly loader: Awaited<ReturnType<typeof startLoader>>;
  readonly postgres: Pick<BenchPostgres, 'cpuMs'>;
};

/**
 * Sends load to `server` and measures it. Throws when a response was not 200, because refusals are fast and would
 * distort the result.
 */
export async function measureHttp(tools: MeasureTools, server: Child, job: Omit<LoadJob, 'port'>): Promise<LoadSample> {
  const before = await server.usage();
  const databaseBefore = tools.postgres.cpuMs();
  const outcome = await tools.loader.run({ ...job, port: server.port });
  const after = await server.usage();
  const databaseMs = tools.postgres.cpuMs() - databaseBefore;
  if (outcome.failures > 0)
    throw new Error(`${outcome.failures} of ${outcome.count} responses failed, the first: ${outcome.failure}`);
  if (outcome.count === 0) throw new Error(`${job.method} ${job.paths[0]}: there was no response`);
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
