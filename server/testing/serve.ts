/** An app without pages that tests kill. It prints its port to standard output. */
import { createApp } from '../app.ts';
import { readConfig } from '../platform/config.ts';
import { createLogger } from '../platform/log.ts';

const config = readConfig();
if (!config.databaseUrl) throw new Error('DATABASE_URL is missing');
const log = createLogger({ level: config.logLevel, isPretty: false });
const app = await createApp({
  ...{ config, databaseUrl: config.databaseUrl, log, hasPages: false },
  // Jobs of a killed process are released soon.
  jobsCheckMs: 500,
});
await app.start();
const address = new URL(await app.http.listen({ port: config.port, host: '127.0.0.1' }));
process.stdout.write(`${address.port}\n`);
