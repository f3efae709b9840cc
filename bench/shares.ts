/** Measures Open Graph images, newly created and cached, and compares them with a minimal image of the same size. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { profileSharePicture, SHARE_SIZE } from '@stagedoor/contract/shares.ts';
import sharp from 'sharp';
import { startChild, startLoader } from './harness/child.ts';
import { settleDatabase, withDatabase } from './harness/database.ts';
import { measureHttp } from './harness/http.ts';
import type { Result } from './harness/report.ts';
import { cpuOf, interleave, ratioOf, shown } from './harness/rounds.ts';
import type { Stage } from './harness/stage.ts';
import { makeCreators, personId } from './worlds/people.ts';

const CREATORS = 60;
const CLIENTS = 4;

async function makeAll(origin: string): Promise<{ paths: string[]; ours: number[]; bare: number[]; bytes: Buffer }> {
  const [paths, ours, bare]: [string[], number[], number[]] = [[], [], []];
  let bytes: Buffer = Buffer.alloc(0);
  for (let n = 0; n < CREATORS; n += 1) {
    const told = await fetch(`${origin}/api${profileSharePicture.path.replace(':id', personId('creator', n))}`);
    const { path } = profileSharePicture.response.parse(await told.json());
    let begun = performance.now();
    const answer = await fetch(origin + path);
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
    bytes = Buffer.from(await answer.arrayBuffer());
    ours.push(performance.now() - begun);
    begun = performance.now();
    await sharp({ create: { ...SHARE_SIZE, channels: 3, background: { r: 250, g: n, b: 250 } } })
      .jpeg({ quality: 82 })
      .toBuffer();
    bare.push(performance.now() - begun);
    paths.push(path);
  }
  return { paths, ours, bare, bytes };
}

const medianOf = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

export async function shares(stage: Stage): Promise<Result> {
  const { options, postgres, tell } = stage;
  const url = await postgres.migrated('shares');
  await withDatabase(url, (db) => makeCreators(db, CREATORS));
  await settleDatabase(url);
  const dataDir = join(stage.folder, 'shares');
  await mkdir(dataDir, { recursive: true });
  const loader = await startLoader();
  const product = await startChild('servers/product.ts', [url, dataDir]);
  const raw = await startChild('servers/raw.ts');
  tell(`making ${CREATORS} pictures`);
  const { paths, ours, bare, bytes } = await makeAll(`http://127.0.0.1:${product.port}`);
  await raw.ask(bytes);
  const get = (server: typeof product, from: readonly string[]) => (seconds: number) =>
    measureHttp({ loader, postgres }, server, {
      method: 'GET',
      connections: CLIENTS,
      seconds,
      paths: from,
      headers: [],
    });
  const samples = await interleave(options, { kept: get(product, paths), raw: get(raw, ['/']) }, tell);
  for (const child of [product, raw]) await child.stop();
  await loader.stop();
  return {
    bench: 'shares',
    reading: 'A picture for sharing that is kept: CPU a request ÷ node:http sending the same bytes. Less is better.',
    figures: [
      {
        name: 'a picture for sharing, kept ÷ raw node:http',
        ours: shown(samples.kept),
        limit: shown(samples.raw),
        ratio: ratioOf(samples.kept, samples.raw, cpuOf),
      },
    ],
    notes: [
      `Made when it was first asked for: ${medianOf(ours).toFixed(0)} ms in the middle of ${CREATORS}; an empty JPEG of that size ${medianOf(bare).toFixed(0)} ms. ${(bytes.length / 1000).toFixed(1)} kB.`,
    ],
  };
}
