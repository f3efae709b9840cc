/**
 * Measures a feed during abuse by anonymous clients, compares it with the same feed without them, and measures the
 * memory that they cost.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ensureCrowd, FOLLOWERS } from './fixtures/crowd.ts';
import { formatSessionCookie } from './fixtures/users.ts';
import { type ConnectionCounts, startAnonymousClients } from './harness/anonymous-clients.ts';
import { startChild, startLoader } from './harness/child.ts';
import type { BenchContext } from './harness/context.ts';
import { startFeedReads } from './harness/feed-reads.ts';
import type { BenchResult } from './harness/report.ts';
import { median, type Ratio } from './harness/rounds.ts';

const CLIENT_COUNTS = { readers: 600, flooders: 300, forms: 100 };
const FILM_BYTES = 64 * 1024 * 1024;
/** The product's own rate limits apply here, also to a fan's reads. */
const MAX_SECONDS = 10;

async function makeFilm(dataDir: string): Promise<string> {
  const name = `a/${randomUUID()}/abcd/1920.webp`;
  const file = join(dataDir, 'media', 'public', name);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, '');
  await truncate(file, FILM_BYTES);
  return `/media/public/${name}`;
}

type AbuseRound = { idleMs: number; loadedMs: number; idleMb: number; loadedMb: number; counts: ConnectionCounts };

function calculateRatio(rounds: readonly AbuseRound[], pick: (round: AbuseRound) => number): Ratio {
  const values = rounds.map(pick);
  return { value: median(values), low: Math.min(...values), high: Math.max(...values) };
}

export async function measureAnonymousLoad(context: BenchContext): Promise<BenchResult> {
  const { options, postgres, folder, logProgress } = context;
  const world = await ensureCrowd(context, 'small');
  const dataDir = join(folder, 'anonymous');
  await mkdir(dataDir, { recursive: true });
  const film = await makeFilm(dataDir);
  const server = await startChild('servers/product.ts', [world.url, dataDir, 'limited']);
  const [loader, anonymous] = [await startLoader(), await startAnonymousClients()];
  const seconds = Math.min(options.seconds, MAX_SECONDS);
  const senders = Array.from({ length: FOLLOWERS.few.count }, (_, n) => formatSessionCookie(FOLLOWERS.few.from + n));
  const flooder = formatSessionCookie(FOLLOWERS.many.from);
  const read = await startFeedReads({ loader, postgres }, server);
  const rounds: AbuseRound[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    const idle = await read(seconds);
    const { rssMb: idleMb } = await server.usage();
    await anonymous.start({ port: server.port, ...CLIENT_COUNTS, film, flooder, senders });
    const loaded = await read(seconds);
    const { rssMb: loadedMb } = await server.usage();
    const counts = await anonymous.finish();
    rounds.push({ idleMs: idle.p99Ms, loadedMs: loaded.p99Ms, idleMb, loadedMb, counts });
    logProgress(
      `feed p99 ${loaded.p99Ms.toFixed(1)} ms with abuse, ${idle.p99Ms.toFixed(1)} ms without; ${loadedMb.toFixed(0)} and ${idleMb.toFixed(0)} MB`,
    );
  }
  for (const child of [server, loader, anonymous]) await child.stop();
  const formatMedian = (pick: (round: AbuseRound) => number, unit: string, digits: number) =>
    `${median(rounds.map(pick)).toFixed(digits)} ${unit}`;
  const last = rounds.at(-1)?.counts;
  return {
    bench: 'anonymous',
    reading: `While ${CLIENT_COUNTS.readers} clients request a film and do not read it, ${CLIENT_COUNTS.flooders} sockets of one account flood signals and ${CLIENT_COUNTS.forms} forms arrive at one byte per second: ours ÷ the same without them. Less is better.`,
    figures: [
      {
        name: 'feed p99 with abusive clients ÷ without',
        ours: formatMedian(({ loadedMs }) => loadedMs, 'ms', 2),
        limit: formatMedian(({ idleMs }) => idleMs, 'ms', 2),
        ratio: calculateRatio(rounds, ({ loadedMs, idleMs }) => loadedMs / idleMs),
        aim: { atMost: 2 },
      },
      {
        name: 'memory with abusive clients ÷ without',
        ours: formatMedian(({ loadedMb }) => loadedMb, 'MB', 0),
        limit: formatMedian(({ idleMb }) => idleMb, 'MB', 0),
        ratio: calculateRatio(rounds, ({ loadedMb, idleMb }) => loadedMb / idleMb),
        aim: { atMost: 1.5 },
      },
    ],
    notes: last
      ? Object.entries(last).map(
          ([kind, one]) => `${kind}: ${one.open} connections open at the end, ${one.opened} opened.`,
        )
      : [],
  };
}
