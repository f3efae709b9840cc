/** The product's operations without HTTP: loops that charge tips through the sales module, as other modules do. */
import { randomUUID } from 'node:crypto';
import { createApp } from '../../server/app.ts';
import { chargeNow } from '../../server/features/sales/index.ts';
import { createLogger } from '../../server/kernel/log.ts';
import { asProduct } from '../harness/database.ts';
import { personId } from '../worlds/people.ts';
import { answerParent } from './answer.ts';
import { benchConfig } from './config.ts';

export type ServiceJob = { seconds: number; concurrency: number; fans: number; creators: number };
export type ServiceOutcome = { count: number; seconds: number };

const [ownerUrl = '', dataDir = ''] = process.argv.slice(2);
const databaseUrl = asProduct(ownerUrl);
const config = benchConfig(databaseUrl, dataDir);
const log = createLogger({ level: config.logLevel, isPretty: false });
const app = await createApp({ config, databaseUrl, log, hasPages: false });
await app.start();

async function tips({ seconds, concurrency, fans, creators }: ServiceJob): Promise<ServiceOutcome> {
  let count = 0;
  const started = performance.now();
  const loop = async () => {
    while (performance.now() - started < seconds * 1000) {
      const n = count;
      count += 1;
      await chargeNow(app.ctx.db, {
        kind: 'tip',
        fanId: personId('fan', n % fans),
        creatorId: personId('creator', (n * 7) % creators),
        grossCents: 100,
        operationId: randomUUID(),
        tipType: 'profile',
      });
    }
  };
  await Promise.all(Array.from({ length: concurrency }, loop));
  return { count, seconds: (performance.now() - started) / 1000 };
}

answerParent(0, (job) => tips(job as ServiceJob));
process.once('SIGTERM', () => void app.close().then(() => process.exit(0)));
