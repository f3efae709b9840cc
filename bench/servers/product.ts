/**
 * The product on a database of the bench. The arguments are the database URL, the data folder, and optionally `pages`
 * to serve pages too or `limited` for the product's own limits. On request it emits one event to all connected sockets
 * many times.
 */
import { receiveMessage } from '@stagedoor/contract/messaging/chat-events.ts';
import { createApp } from '../../server/app.ts';
import { createLogger } from '../../server/platform/log.ts';
import { toProductUrl } from '../harness/database.ts';
import { createBenchConfig } from './config.ts';
import { type EmitJob, emitEvenly } from './emits.ts';
import { respondToParent } from './parent-messages.ts';

const [ownerUrl = '', dataDir = '', mode] = process.argv.slice(2);
const databaseUrl = toProductUrl(ownerUrl);
const config = createBenchConfig(databaseUrl, dataDir, mode === 'limited');
const log = createLogger({ level: config.logLevel, isPretty: false });
const app = await createApp({ config, databaseUrl, log, hasPages: mode === 'pages' });
await app.start();
await app.http.listen({ port: 0, host: '127.0.0.1' });
const address = app.http.server.address();
respondToParent(typeof address === 'object' && address ? address.port : 0, async (question) => {
  if (typeof question !== 'object' || question === null || !('emits' in question))
    return app.ctx.events.waitUntilIdle();
  const job = question as EmitJob;
  const payload = receiveMessage.payload.parse(job.payload);
  return emitEvenly(job, () => app.ctx.realtime.emitToRoom('public', receiveMessage, payload));
});
process.once('SIGTERM', () => void app.close().then(() => process.exit(0)));
