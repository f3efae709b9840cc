/** The product as it is, on a database of the bench's: arguments are its address, the data folder, and `pages` for the pages too. */
import { createApp } from '../../server/app.ts';
import { createLogger } from '../../server/kernel/log.ts';
import { answerParent } from './answer.ts';
import { benchConfig } from './config.ts';

const [databaseUrl = '', dataDir = '', pages] = process.argv.slice(2);
const config = benchConfig(databaseUrl, dataDir);
const log = createLogger({ level: config.logLevel, isPretty: false });
const app = await createApp({ config, databaseUrl, log, hasPages: pages === 'pages' });
await app.start();
await app.http.listen({ port: 0, host: '127.0.0.1' });
const address = app.http.server.address();
// Any question waits until every event has been told.
answerParent(typeof address === 'object' && address ? address.port : 0, () => app.ctx.events.settle());
process.once('SIGTERM', () => void app.close().then(() => process.exit(0)));
