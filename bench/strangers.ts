/**
 * Measures a feed during abuse by anonymous clients, compares it with the same feed without them, and measures the
 * memory that they cost.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { startChild, startLoader } from './harness/child.ts';
import { measureHttp } from './harness/http.ts';
import type { Result } from './harness/report.ts';
import { median, type Ratio } from './harness/rounds.ts';
import type { Stage } from './harness/stage.ts';
import { type Fate, startStrangers } from './harness/strangers.ts';
import { crowd, FOLLOWERS } from './worlds/crowd.ts';
import { cookieLine } from './worlds/people.ts';

const CROWD = { readers: 600, flooders: 300, forms: 100 };
const FILM_BYTES = 64 * 1024 * 1024;
/** The product's own rate limits apply here, also to a fan's reads. */
const MOST_SECONDS = 10;

async function makeFilm(dataDir: string): Promise<string> {
  const name = `a/${randomUUID()}/abcd/1920.webp`;
  const file = join(dataDir, 'media', 'public', name);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, '');
  await truncate(file, FILM_BYTES);
  return `/media/public/${name}`;
}

type Round = { idleMs: number; heldMs: number; idleMb: number; heldMb: number; fate: Fate };

function ratio(rounds: readonly Round[], of: (round: Round) => number): Ratio {
  const values = rounds.map(of);
  return { value: median(values), low: Math.min(...values), high: Math.max(...values) };
}

export async function strangers(stage: Stage): Promise<Result> {
  const { options, postgres, folder, tell } = stage;
  const world = await crowd(stage, 'small');
  const dataDir = join(folder, 'strangers');
  await mkdir(dataDir, { recursive: true });
  const film = await makeFilm(dataDir);
  const server = await startChild('servers/product.ts', [world.url, dataDir, 'limited']);
  const [loader, outside] = [await startLoader(), await startStrangers()];
  const { from, count } = FOLLOWERS.some;
  const headers = Array.from({ length: count }, (_, n) => cookieLine(from + n));
  const read = (seconds: number) =>
    measureHttp({ loader, postgres }, server, {
      method: 'GET',
      connections: 1,
      seconds,
      headers,
      paths: ['/api/feed?limit=20'],
    });
  const seconds = Math.min(options.seconds, MOST_SECONDS);
  const senders = Array.from({ length: FOLLOWERS.few.count }, (_, n) => cookieLine(FOLLOWERS.few.from + n));
  const flooder = cookieLine(FOLLOWERS.many.from);
  await read(2);
  const rounds: Round[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    const idle = await read(seconds);
    const { rssMb: idleMb } = await server.usage();
    await outside.come({ port: server.port, ...CROWD, film, flooder, senders });
    const held = await read(seconds);
    const { rssMb: heldMb } = await server.usage();
    const fate = await outside.go();
    rounds.push({ idleMs: idle.p99Ms, heldMs: held.p99Ms, idleMb, heldMb, fate });
    tell(
      `feed p99 ${held.p99Ms.toFixed(1)} ms with strangers, ${idle.p99Ms.toFixed(1)} ms without; ${heldMb.toFixed(0)} and ${idleMb.toFixed(0)} MB`,
    );
  }
  for (const child of [server, loader, outside]) await child.stop();
  const shown = (of: (round: Round) => number, unit: string, digits: number) =>
    `${median(rounds.map(of)).toFixed(digits)} ${unit}`;
  const last = rounds.at(-1)?.fate;
  return {
    bench: 'strangers',
    reading: `While ${CROWD.readers} take nothing of a film, ${CROWD.flooders} sockets of one account flood signals and ${CROWD.forms} forms come a byte a second: ours ÷ without them. Less is better.`,
    figures: [
      {
        name: 'feed p99 with strangers ÷ without',
        ours: shown(({ heldMs }) => heldMs, 'ms', 2),
        limit: shown(({ idleMs }) => idleMs, 'ms', 2),
        ratio: ratio(rounds, ({ heldMs, idleMs }) => heldMs / idleMs),
        aim: { atMost: 2 },
      },
      {
        name: 'memory with strangers ÷ without',
        ours: shown(({ heldMb }) => heldMb, 'MB', 0),
        limit: shown(({ idleMb }) => idleMb, 'MB', 0),
        ratio: ratio(rounds, ({ heldMb, idleMb }) => heldMb / idleMb),
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
