/**
 * `npm run payments`: payment administration on the command line, on DATABASE_URL or the embedded database, also while
 * the platform is running. Without arguments it lists what needs a decision. `retry`, `dismiss` and `refund` take a
 * webhook id and `--reason`, `won` takes the id of a chargeback, `writeOff` the id of a fan with a debt. The running
 * platform, or its next start, executes decisions and sends mails. `reconcile` compares the books now, `differences`
 * lists unexplained differences, and `explain` with an id and `--reason` explains one.
 */
import { parseArgs } from 'node:util';
import { DEBT_DECISIONS } from '@stagedoor/contract/admin/debts.ts';
import { PROCESSOR_DECISIONS, reason as reasonSchema } from '@stagedoor/contract/admin/processor-webhooks.ts';
import { COMPARISONS } from '@stagedoor/contract/admin/reconciliation.ts';
import { isId } from '@stagedoor/contract/shared/ids.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { runCliCommand } from '../../../platform/cli.ts';
import { systemClock } from '../../../platform/clock.ts';
import type { Context } from '../../../platform/context.ts';
import { createJobs } from '../../../platform/jobs/jobs.ts';
import { createLogger } from '../../../platform/log.ts';
import { createMailer } from '../../../platform/mail.ts';
import { decideDebt, viewDebtors } from '../../commerce/debts/index.ts';
import { decideWebhook, viewWebhooks } from '../../commerce/deposits/index.ts';
import {
  explainDifference,
  reconcile,
  viewDifferences,
  viewReconciliationRuns,
} from '../../commerce/reconciliation/index.ts';

const USAGE = `npm run payments -- [list | retry ID | dismiss ID | refund ID | refunded ID | notRefunded ID] [--reason "why"]
npm run payments -- chargebacks | won ID | notWon ID --reason "why"
npm run payments -- debts | writeOff FAN | block FAN | unblock FAN --reason "why"
npm run payments -- reconcile | differences | explain ID --reason "why"`;

type CliContext = Pick<Context, 'clock' | 'config' | 'db' | 'hooks' | 'jobs' | 'log' | 'mailer'>;
type WebhookView = Awaited<ReturnType<typeof viewWebhooks>>['data'][number];

function formatWebhookLine({ id, receivedAt, eventType, amount, order, state, reason }: WebhookView): string {
  const parts = [
    eventType ?? 'unnamed',
    amount === null ? '' : formatUsd(amount),
    order ? `order of ${order.fan.username}` : 'no order',
  ];
  return `${id}  ${receivedAt.slice(0, 16).replace('T', ' ')}  ${state}  ${parts.filter((part) => part !== '').join(', ')}: ${reason ?? ''}`;
}

type DebtorView = Awaited<ReturnType<typeof viewDebtors>>['data'][number];

function formatDebtLine({ fan, owed, blocked, parts }: DebtorView): string {
  const since = parts[0] ? ` since ${parts[0].at.slice(0, 10)}` : '';
  const blockedLabels = { debt: 'blocked for debt', operator: 'blocked by staff' };
  return `${fan.id}  ${fan.username} owes ${formatUsd(owed)}${since}, ${blocked === null ? 'can spend' : blockedLabels[blocked]}`;
}

type DifferenceView = Awaited<ReturnType<typeof viewDifferences>>['data'][number];

function formatDifferenceLine({
  id,
  label,
  key,
  theirs,
  ours,
  openedAt,
  details,
  explanations,
}: DifferenceView): string {
  const sums = [theirs === null ? '' : `theirs ${formatUsd(theirs)}`, ours === null ? '' : `ours ${formatUsd(ours)}`];
  const detailTexts = Object.entries(details).map(([name, value]) => `${name} ${value}`);
  const explanationTexts = explanations.map(({ reason }) => `explained: ${reason}`);
  const parts = [key, ...sums, ...detailTexts, ...explanationTexts].filter((part) => part !== '');
  return `${id}  since ${openedAt.slice(0, 10)}  ${label}: ${parts.join(', ')}`;
}

function printLines(lines: readonly string[], emptyText: string): void {
  for (const line of lines) console.log(line);
  console.log(lines.length === 0 ? emptyText : USAGE);
}

const PAGE = { limit: 50, offset: '0' };
const LISTS: Readonly<Record<string, (ctx: CliContext) => Promise<void>>> = {
  async list(ctx) {
    const pages = await Promise.all(
      (['quarantined', 'refunding'] as const).map((state) => viewWebhooks(ctx, { state, ...PAGE })),
    );
    printLines(
      pages.flatMap(({ data }) => data.map(formatWebhookLine)),
      'Nothing to review.',
    );
  },
  async chargebacks(ctx) {
    const pages = await Promise.all(
      (['processed', 'won'] as const).map((state) => viewWebhooks(ctx, { state, type: 'Chargeback', ...PAGE })),
    );
    printLines(
      pages.flatMap(({ data }) => data.map(formatWebhookLine)),
      'No chargebacks.',
    );
  },
  async debts(ctx) {
    const { data } = await viewDebtors(ctx, PAGE);
    printLines(data.map(formatDebtLine), 'No debts or spending blocks.');
  },
  async differences(ctx) {
    const { data } = await viewDifferences(ctx, { state: 'open', ...PAGE });
    printLines(data.map(formatDifferenceLine), 'No unexplained discrepancies.');
  },
  async reconcile(ctx) {
    await reconcile(ctx, { isRepeat: true });
    const { data } = await viewReconciliationRuns(ctx, { limit: 10, offset: '0' });
    for (const comparison of COMPARISONS) {
      const last = data.find((one) => one.comparison === comparison);
      if (last)
        console.log(`${comparison}, ${last.day}: ${last.outcome}${last.detail === null ? '' : `, ${last.detail}`}`);
    }
    await LISTS.differences?.(ctx);
  },
};

async function run(ctx: CliContext, [verb = 'list', id = '']: readonly string[], reason: string): Promise<void> {
  const list = LISTS[verb];
  if (list) return list(ctx);
  if (!isId(id)) throw new Error(USAGE);
  const webhookDecision = PROCESSOR_DECISIONS.find((known) => known === verb);
  const debtDecision = DEBT_DECISIONS.find((known) => known === verb);
  const parsedReason = reasonSchema.safeParse(reason);
  if (!webhookDecision && !debtDecision && verb !== 'explain') throw new Error(USAGE);
  if (!parsedReason.success) throw new Error(`--reason: ${parsedReason.error.issues[0]?.message ?? 'Give a reason.'}`);
  if (verb === 'explain') console.log(formatDifferenceLine(await explainDifference(ctx, null, id, parsedReason.data)));
  if (webhookDecision)
    console.log(
      formatWebhookLine(await decideWebhook(ctx, null, id, { decision: webhookDecision, reason: parsedReason.data })),
    );
  if (debtDecision)
    console.log(formatDebtLine(await decideDebt(ctx, null, id, { decision: debtDecision, reason: parsedReason.data })));
}

await runCliCommand(async ({ config, db, databaseUrl }) => {
  const { values, positionals } = parseArgs({ options: { reason: { type: 'string' } }, allowPositionals: true });
  const log = createLogger({ level: 'warn', isPretty: true });
  const jobs = createJobs(databaseUrl, () => db, log, { concurrency: 1 });
  // Decisions by the command line need no second operator, so that no hook is called.
  const ctx = { config, db, hooks: {}, log, jobs, clock: systemClock, mailer: createMailer(config, jobs) };
  await run(ctx, positionals, values.reason ?? '');
});
