/** The product's operations without HTTP: loops that charge tips through the sales module, as other modules do. */
import { randomUUID } from 'node:crypto';
import { createApp } from '../../server/app.ts';
import { chargeFanNow } from '../../server/modules/commerce/sales/index.ts';
import { createLogger } from '../../server/platform/log.ts';
import { toBenchUserId } from '../fixtures/users.ts';
import { toProductUrl } from '../harness/database.ts';
import { createBenchConfig } from './config.ts';
import { respondToParent } from './parent-messages.ts';

export type ServiceJob = { seconds: number; concurrency: number; fans: number; creators: number };
export type ServiceOutcome = { count: number; seconds: number };

const [ownerUrl = '', dataDir = ''] = process.argv.slice(2);
const databaseUrl = toProductUrl(ownerUrl);
const config = createBenchConfig(databaseUrl, dataDir);
const log = createLogger({ level: config.logLevel, isPretty: false });
const app = await createApp({ config, databaseUrl, log, hasPages: false });
await app.start();

async function chargeTips({ seconds, concurrency, fans, creators }: ServiceJob): Promise<ServiceOutcome> {
  let count = 0;
  const started = performance.now();
  const loop = async () => {
    while (performance.now() - started < seconds * 1000) {
      const n = count;
      count += 1;
      await chargeFanNow(app.ctx.db, {
        kind: 'tip',
        fanId: toBenchUserId('fan', n % fans),
        creatorId: toBenchUserId('creator', (n * 7) % creators),
        grossCents: 100,
        operationId: randomUUID(),
        tipType: 'profile',
      });
    }
  };
  await Promise.all(Array.from({ length: concurrency }, loop));
  return { count, seconds: (performance.now() - started) / 1000 };
}

respondToParent(0, (job) => chargeTips(job as ServiceJob));
process.once('SIGTERM', () => void app.close().then(() => process.exit(0)));
