/**
 * Starts the product on a fresh data folder with the demo world, once for all tests, and checks the ledger at the end.
 * With STAGEDOOR_URL and STAGEDOOR_DATA_DIR set, tests use the running server. With STAGEDOOR_WORLD set, they run on a
 * copy of the seeded data folder that is stored under that name.
 */

import { createWorld, freePort, makeDataDir, removeDataDir, runLedgerCheck, startServer } from './support/server.ts';
import { copyStoredWorld } from './support/stored-world.ts';

const LOG_CHARS = 20_000;

export default async function setup(): Promise<() => Promise<void>> {
  const existingDataDir = process.env.STAGEDOOR_DATA_DIR;
  if (process.env.STAGEDOOR_URL && existingDataDir) {
    return async () => void process.stdout.write(await runLedgerCheck(existingDataDir));
  }
  const dataDir = await makeDataDir();
  const worldName = process.env.STAGEDOOR_WORLD;
  await (worldName ? copyStoredWorld(worldName, dataDir) : createWorld(dataDir));
  // The push test runs a stand-in for the browser's push service on this port.
  const pushPort = await freePort();
  process.env.STAGEDOOR_PUSH_PORT = String(pushPort);
  // As in production: no test depends on what these settings block.
  const env = {
    TRUST_PROXY: '127.0.0.1,::1',
    PUSH_ALLOWED_ORIGINS: `http://127.0.0.1:${pushPort}`,
    CONTENT_PROTECTION: 'on',
  };
  const server = await startServer({ dataDir, port: await freePort(), hasDemo: true, env });
  process.env.STAGEDOOR_URL = server.url;
  process.env.STAGEDOOR_DATA_DIR = dataDir;
  return async () => {
    try {
      process.stdout.write(server.output().slice(-LOG_CHARS));
      process.stdout.write(await runLedgerCheck(dataDir));
    } finally {
      await server.end();
      await removeDataDir(dataDir);
    }
  };
}
