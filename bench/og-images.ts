/** Measures Open Graph images, newly created and cached, and compares them with a minimal image of the same size. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { getProfileOgImage, OG_IMAGE_SIZE } from '@stagedoor/contract/content/og-images.ts';
import sharp from 'sharp';
import { makeCreators, toBenchUserId } from './fixtures/users.ts';
import { startChild, startLoader } from './harness/child.ts';
import type { BenchContext } from './harness/context.ts';
import { vacuumDatabase, withDatabase } from './harness/database.ts';
import { measureHttp } from './harness/http.ts';
import type { BenchResult } from './harness/report.ts';
import { calculateRatio, formatSamples, getCpuMs, interleave } from './harness/rounds.ts';

const CREATORS = 60;
const CLIENTS = 4;

async function createAll(origin: string): Promise<{ paths: string[]; ours: number[]; bare: number[]; bytes: Buffer }> {
  const [paths, ours, bare]: [string[], number[], number[]] = [[], [], []];
  let bytes: Buffer = Buffer.alloc(0);
  for (let n = 0; n < CREATORS; n += 1) {
    const pathResponse = await fetch(
      `${origin}/api${getProfileOgImage.path.replace(':id', toBenchUserId('creator', n))}`,
    );
    const { path } = getProfileOgImage.response.parse(await pathResponse.json());
    let started = performance.now();
    const imageResponse = await fetch(origin + path);
    if (!imageResponse.ok) throw new Error(`${path} returned ${imageResponse.status}`);
    bytes = Buffer.from(await imageResponse.arrayBuffer());
    ours.push(performance.now() - started);
    started = performance.now();
    await sharp({ create: { ...OG_IMAGE_SIZE, channels: 3, background: { r: 250, g: n, b: 250 } } })
      .jpeg({ quality: 82 })
      .toBuffer();
    bare.push(performance.now() - started);
    paths.push(path);
  }
  return { paths, ours, bare, bytes };
}

const calculateMedian = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

export async function measureOgImages(context: BenchContext): Promise<BenchResult> {
  const { options, postgres, logProgress } = context;
  const url = await postgres.createMigrated('shares');
  await withDatabase(url, (db) => makeCreators(db, CREATORS));
  await vacuumDatabase(url);
  const dataDir = join(context.folder, 'shares');
  await mkdir(dataDir, { recursive: true });
  const loader = await startLoader();
  const product = await startChild('servers/product.ts', [url, dataDir]);
  const raw = await startChild('servers/raw.ts');
  logProgress(`making ${CREATORS} pictures`);
  const { paths, ours, bare, bytes } = await createAll(`http://127.0.0.1:${product.port}`);
  await raw.request(bytes);
  const get = (server: typeof product, from: readonly string[]) => (seconds: number) =>
    measureHttp({ loader, postgres }, server, {
      method: 'GET',
      connections: CLIENTS,
      seconds,
      paths: from,
      headers: [],
    });
  const samples = await interleave(options, { cached: get(product, paths), raw: get(raw, ['/']) }, logProgress);
  for (const child of [product, raw]) await child.stop();
  await loader.stop();
  return {
    bench: 'shares',
    reading: 'CPU per request of a cached Open Graph image ÷ node:http sending the same bytes. Less is better.',
    figures: [
      {
        name: 'a picture for sharing, cached ÷ raw node:http',
        ours: formatSamples(samples.cached),
        limit: formatSamples(samples.raw),
        ratio: calculateRatio(samples.cached, samples.raw, getCpuMs),
      },
    ],
    notes: [
      `Created on the first request in ${calculateMedian(ours).toFixed(0)} ms (median of ${CREATORS}); an empty JPEG of that size ${calculateMedian(bare).toFixed(0)} ms. ${(bytes.length / 1000).toFixed(1)} kB.`,
    ],
  };
}
