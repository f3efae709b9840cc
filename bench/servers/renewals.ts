/** Renews due subscriptions as the job does, or charges as many sales with the bare SQL function, one after the other. */
import { randomUUID } from 'node:crypto';
import { createApp } from '../../server/app.ts';
import { renewDueSubscriptions } from '../../server/modules/content/subscriptions/renewals.ts';
import { createLogger } from '../../server/platform/log.ts';
import { toBenchUserId } from '../fixtures/users.ts';
import { toProductUrl } from '../harness/database.ts';
import { createBenchConfig } from './config.ts';
import { respondToParent } from './parent-messages.ts';

export type RenewalJob = {
  work: 'renew' | 'renewThrottled' | 'charge';
  seconds: number;
  fans: number;
  creators: number;
};
export type RenewalOutcome = { count: number; seconds: number };

const [ownerUrl = '', dataDir = ''] = process.argv.slice(2);
const databaseUrl = toProductUrl(ownerUrl);
const config = createBenchConfig(databaseUrl, dataDir);
const log = createLogger({ level: config.logLevel, isPretty: false });
// Not started, so that its own job does not run.
const { ctx } = await createApp({ config, databaseUrl, log, hasPages: false });

const CHARGE = {
  name: 'bench-charge',
  text: `select transaction_id from sales_charge('subscription', $1::uuid, $2::uuid, 500, $3::uuid, $4::bytea, $5::uuid)`,
};
const HASH = Buffer.alloc(32);

async function charge({ seconds, fans, creators }: RenewalJob): Promise<number> {
  const started = performance.now();
  let count = 0;
  while (performance.now() - started < seconds * 1000) {
    const pair = [toBenchUserId('fan', count % fans), toBenchUserId('creator', (count * 7) % creators)];
    await ctx.db.run(CHARGE, [...pair, randomUUID(), HASH, randomUUID()]);
    count += 1;
  }
  return count;
}

async function run(job: RenewalJob): Promise<RenewalOutcome> {
  const started = performance.now();
  const count =
    job.work === 'charge'
      ? await charge(job)
      : await renewDueSubscriptions(ctx, {
          signal: AbortSignal.timeout(job.seconds * 1000),
          isThrottled: job.work === 'renewThrottled',
        });
  return { count, seconds: (performance.now() - started) / 1000 };
}

respondToParent(0, (job) => run(job as RenewalJob));
