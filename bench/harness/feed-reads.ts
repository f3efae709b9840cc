/** Reads feeds one request at a time, to compare their latency with and without other work. */
import { FOLLOWERS } from '../fixtures/crowd.ts';
import { formatSessionCookie } from '../fixtures/users.ts';
import type { Child } from './child.ts';
import { type MeasureTools, measureHttp } from './http.ts';
import type { LoadSample } from './rounds.ts';

const WARM_SECONDS = 2;

/** Warms the caches of a server with the crowd's data, and returns a function that measures for a number of seconds. */
export async function startFeedReads(
  tools: MeasureTools,
  server: Child,
): Promise<(seconds: number) => Promise<LoadSample>> {
  const { from, count } = FOLLOWERS.some;
  const headers = Array.from({ length: count }, (_, n) => formatSessionCookie(from + n));
  const read = (seconds: number) =>
    measureHttp(tools, server, { method: 'GET', connections: 1, seconds, headers, paths: ['/api/feed?limit=20'] });
  await read(WARM_SECONDS);
  return read;
}
