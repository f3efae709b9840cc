/**
 * Starts the product as a person would, on a fresh data folder with the demo world, once for all journeys; at the end the
 * money of all of them must add up. With STAGEDOOR_URL and STAGEDOOR_DATA_DIR set, journeys run against what is there; with
 * STAGEDOOR_WORLD set, on a copy of the seeded data folder that is kept under that name.
 */
import { copyKeptWorld } from './support/kept-world.ts';
import { checkLedgerOf, freePort, makeDataDir, removeDataDir, startServer } from './support/server.ts';

/** So much of what the server logged is shown at the end. */
const LOG_CHARS = 20_000;

export default async function setup(): Promise<() => Promise<void>> {
  const present = process.env.STAGEDOOR_DATA_DIR;
  if (process.env.STAGEDOOR_URL && present) {
    return async () => void process.stdout.write(await checkLedgerOf(present));
  }
  const dataDir = await makeDataDir();
  const kept = process.env.STAGEDOOR_WORLD;
  if (kept) await copyKeptWorld(kept, dataDir);
  // Where the journey about pushes stands in for a browser's service.
  const pushPort = await freePort();
  process.env.STAGEDOOR_PUSH_PORT = String(pushPort);
  // As in production: what it hinders, no journey needs.
  const env = { TRUST_PROXY: '127.0.0.1,::1', PUSH_SERVICES: `http://127.0.0.1:${pushPort}`, ANTI_INSPECTION: 'on' };
  const server = await startServer({ dataDir, port: await freePort(), hasDemo: true, env });
  process.env.STAGEDOOR_URL = server.url;
  process.env.STAGEDOOR_DATA_DIR = dataDir;
  return async () => {
    try {
      // What a journey was refused with says nothing of its cause; the server's own words do.
      process.stdout.write(server.output().slice(-LOG_CHARS));
      process.stdout.write(await checkLedgerOf(dataDir));
    } finally {
      await server.end();
      await removeDataDir(dataDir);
    }
  };
}
