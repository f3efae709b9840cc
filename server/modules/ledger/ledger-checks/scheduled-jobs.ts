import { Gauge, type Registry } from 'prom-client';
import type { Context } from '../../../platform/context.ts';
import type { ModuleHost } from '../../../platform/http/routing.ts';
import { countAlarms } from './alarms.ts';
import { checkLedgerNightly } from './nightly-check.ts';
import { countOpenByKind, listLastComparisons } from './reconciliation-findings.ts';

function registerGauges(ctx: Context, metrics: Registry): void {
  new Gauge({
    name: 'stagedoor_ledger_differences_open',
    help: 'Unexplained reconciliation differences, by comparison and kind',
    labelNames: ['comparison', 'kind'],
    registers: [metrics],
    async collect() {
      this.reset();
      for (const { comparison, kind, count } of await countOpenByKind(ctx.db)) this.set({ comparison, kind }, count);
    },
  });
  new Gauge({
    name: 'stagedoor_ledger_alarms',
    help: 'Ledger alerts, which stop payouts. active: the last check still failed. passed: a later check passed, not resolved yet',
    labelNames: ['state'],
    registers: [metrics],
    async collect() {
      const { active, passed } = await countAlarms(ctx.db);
      this.set({ state: 'active' }, active);
      this.set({ state: 'passed' }, passed);
    },
  });
  new Gauge({
    name: 'stagedoor_ledger_compared_seconds',
    help: 'When the books were last compared to the end, by comparison, as Unix time',
    labelNames: ['comparison'],
    registers: [metrics],
    async collect() {
      for (const { comparison, at } of await listLastComparisons(ctx.db)) this.set({ comparison }, at.getTime() / 1000);
    },
  });
}

export function register({ ctx, metrics }: ModuleHost): void {
  registerGauges(ctx, metrics);
  // The first run at night does the work. Later hours only catch up when it was missed.
  ctx.jobs.schedule('ledger.check', '17 2-23 * * *', () => checkLedgerNightly(ctx), 'comparing');
}
