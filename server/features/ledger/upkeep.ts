import { Gauge, type Registry } from 'prom-client';
import type { Server } from '../../kernel/bind.ts';
import type { Context } from '../../kernel/context.ts';
import { countAlarms } from './alarms.ts';
import { clearDue } from './clearing.ts';
import { countOpen, lastComparisons } from './findings.ts';
import { releaseExpiredHolds } from './holds.ts';
import { checkNightly } from './nightly.ts';
import { rollInflows } from './post.ts';

async function rollAll(ctx: Context): Promise<void> {
  while ((await rollInflows(ctx.db)) > 0) {}
}

function measure(ctx: Context, metrics: Registry): void {
  new Gauge({
    name: 'stagedoor_ledger_differences_open',
    help: 'Differences in the books that nobody explained, by comparison and kind',
    labelNames: ['comparison', 'kind'],
    registers: [metrics],
    async collect() {
      this.reset();
      for (const { comparison, kind, count } of await countOpen(ctx.db)) this.set({ comparison, kind }, count);
    },
  });
  new Gauge({
    name: 'stagedoor_ledger_alarms',
    help: 'Ledger alerts, which stop payouts. standing: the last check still failed. passed: a later check passed, not resolved yet',
    labelNames: ['state'],
    registers: [metrics],
    async collect() {
      const { standing, passed } = await countAlarms(ctx.db);
      this.set({ state: 'standing' }, standing);
      this.set({ state: 'passed' }, passed);
    },
  });
  new Gauge({
    name: 'stagedoor_ledger_compared_seconds',
    help: 'When the books were last compared to the end, by comparison, as Unix time',
    labelNames: ['comparison'],
    registers: [metrics],
    async collect() {
      for (const { comparison, at } of await lastComparisons(ctx.db)) this.set({ comparison }, at.getTime() / 1000);
    },
  });
}

/** Every job is safe to run concurrently and repeatedly. */
export function register({ ctx, metrics }: Server): void {
  measure(ctx, metrics);
  ctx.jobs.schedule('ledger.roll', '* * * * *', () => rollAll(ctx));
  ctx.jobs.schedule('ledger.releaseExpired', '* * * * *', async () => {
    await releaseExpiredHolds(ctx.db, ctx.clock.now());
  });
  ctx.jobs.schedule('ledger.clear', '*/5 * * * *', async () => {
    await clearDue(ctx.db, ctx.clock.now());
  });
  // The first run at night does the work. Later hours only catch up when it was missed.
  ctx.jobs.schedule('ledger.check', '17 2-23 * * *', () => checkNightly(ctx), 'comparing');
}
