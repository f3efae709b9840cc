/**
 * The product on a database of the bench. The arguments are the database URL, the data folder, and optionally `pages`
 * to serve pages too or `limited` for the product's own limits. On request it emits one event to all connected sockets
 * many times.
 */
import { receiveMessage } from '@stagedoor/contract/chat-live.ts';
import { createApp } from '../../server/app.ts';
import { createLogger } from '../../server/kernel/log.ts';
import { asProduct } from '../harness/database.ts';
import { answerParent } from './answer.ts';
import { benchConfig } from './config.ts';
import { type Emits, emitEvenly } from './emits.ts';

const [ownerUrl = '', dataDir = '', more] = process.argv.slice(2);
const databaseUrl = asProduct(ownerUrl);
const config = benchConfig(databaseUrl, dataDir, more === 'limited');
const log = createLogger({ level: config.logLevel, isPretty: false });
const app = await createApp({ config, databaseUrl, log, hasPages: more === 'pages' });
await app.start();
await app.http.listen({ port: 0, host: '127.0.0.1' });
const address = app.http.server.address();
answerParent(typeof address === 'object' && address ? address.port : 0, async (question) => {
  if (typeof question !== 'object' || question === null || !('emits' in question)) return app.ctx.events.settle();
  const job = question as Emits;
  const payload = receiveMessage.payload.parse(job.payload);
  return emitEvenly(job, () => app.ctx.realtime.toRoom('public', receiveMessage, payload));
});
process.once('SIGTERM', () => void app.close().then(() => process.exit(0)));
