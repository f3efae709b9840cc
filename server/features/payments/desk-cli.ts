/**
 * `npm run payments`: the operator's desk on the machine, on DATABASE_URL or the embedded database, whether or not the platform is
 * running. Without words it lists what needs a person; `retry`, `dismiss` or `refund` with an id and `--ground` decides. What
 * is decided is done by the running platform, or by its next start. `reconcile` compares the books at once, `differences` lists
 * what nobody explained, and `explain` with an id and `--ground` explains it.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isId } from '@stagedoor/contract/atoms/ids.ts';
import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import { COMPARISONS, explainDifference as explanation } from '@stagedoor/contract/differences.ts';
import { decideProcessorEvent, PROCESSOR_DECISIONS } from '@stagedoor/contract/processor-desk.ts';
import { systemClock } from '../../kernel/clock.ts';
import { readConfig } from '../../kernel/config.ts';
import { openDatabase } from '../../kernel/db.ts';
import { createJobs } from '../../kernel/jobs.ts';
import { createLogger } from '../../kernel/log.ts';
import { createMailer } from '../../kernel/mail.ts';
import { startPostgres } from '../../kernel/postgres.ts';
import { type Desk, decideEvent, viewEvents } from './desk.ts';
import { explainDifference, viewComparisons, viewDifferences } from './differences.ts';
import { reconcile } from './reconcile.ts';

const USAGE = `npm run payments -- [list | retry ID | dismiss ID | refund ID | refunded ID | notRefunded ID] [--ground "why"]
npm run payments -- [reconcile | differences | explain ID] [--ground "why"]`;

type Event = Awaited<ReturnType<typeof viewEvents>>['data'][number];

function lineOf({ id, receivedAt, eventType, amount, order, state, reason }: Event): string {
  const what = [
    eventType ?? 'unnamed',
    amount === null ? '' : formatUsd(amount),
    order ? `order of ${order.fan.username}` : 'no order',
  ];
  return `${id}  ${receivedAt.slice(0, 16).replace('T', ' ')}  ${state}  ${what.filter((word) => word !== '').join(', ')}: ${reason ?? ''}`;
}

type Difference = Awaited<ReturnType<typeof viewDifferences>>['data'][number];

function differenceLine({ id, words, key, theirs, ours, openedAt, facts, explanations }: Difference): string {
  const sums = [theirs === null ? '' : `theirs ${formatUsd(theirs)}`, ours === null ? '' : `ours ${formatUsd(ours)}`];
  const known = Object.entries(facts).map(([name, value]) => `${name} ${value}`);
  const said = explanations.map(({ ground }) => `explained: ${ground}`);
  const parts = [key, ...sums, ...known, ...said].filter((part) => part !== '');
  return `${id}  since ${openedAt.slice(0, 10)}  ${words}: ${parts.join(', ')}`;
}

/** Answers whether it was a word about the books. */
async function compare(desk: Desk, verb: string, id: string, ground: string): Promise<boolean> {
  if (verb === 'explain') {
    const body = explanation.body.safeParse({ ground });
    if (!isId(id)) throw new Error(USAGE);
    if (!body.success) throw new Error(`--ground: ${body.error.issues[0]?.message ?? 'Please say why.'}`);
    console.log(differenceLine(await explainDifference(desk, null, id, body.data.ground)));
    return true;
  }
  if (verb !== 'reconcile' && verb !== 'differences') return false;
  if (verb === 'reconcile') {
    await reconcile(desk, { isAgain: true });
    const { data } = await viewComparisons(desk, { limit: 10, offset: '0' });
    for (const comparison of COMPARISONS) {
      const last = data.find((one) => one.comparison === comparison);
      if (last)
        console.log(`${comparison}, ${last.day}: ${last.outcome}${last.detail === null ? '' : `, ${last.detail}`}`);
    }
  }
  const { data, totalCount } = await viewDifferences(desk, { state: 'open', limit: 50, offset: '0' });
  for (const one of data) console.log(differenceLine(one));
  console.log(totalCount === 0 ? 'Nothing differs that nobody explained.' : `${totalCount} in all\n${USAGE}`);
  return true;
}

async function run(desk: Desk, [verb = 'list', id = '']: readonly string[], ground: string): Promise<void> {
  if (await compare(desk, verb, id, ground)) return;
  if (verb === 'list') {
    const pages = await Promise.all(
      (['quarantined', 'refunding'] as const).map((state) => viewEvents(desk, { state, limit: 50, offset: '0' })),
    );
    const open = pages.flatMap(({ data }) => data);
    for (const event of open) console.log(lineOf(event));
    console.log(open.length === 0 ? 'Nothing needs a person.' : USAGE);
    return;
  }
  const decision = PROCESSOR_DECISIONS.find((known) => known === verb);
  const body = decideProcessorEvent.body.safeParse({ decision, ground });
  if (!decision || !isId(id)) throw new Error(USAGE);
  if (!body.success) throw new Error(`--ground: ${body.error.issues[0]?.message ?? 'Please say why.'}`);
  console.log(lineOf(await decideEvent(desk, null, id, body.data)));
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ options: { ground: { type: 'string' } }, allowPositionals: true });
  const config = readConfig();
  const dataDir = join(config.dataDir, 'postgres');
  if (config.databaseUrl === undefined && !existsSync(join(dataDir, 'cluster')))
    throw new Error(`There is no database in ${config.dataDir} yet, and no DATABASE_URL.`);
  const log = createLogger({ level: 'warn', isPretty: true });
  const postgres = config.databaseUrl === undefined ? await startPostgres({ dataDir, log }) : undefined;
  const url = config.databaseUrl ?? postgres?.url ?? '';
  const db = openDatabase(url, { maxConnections: 2 });
  const jobs = createJobs(url, () => db, log, { concurrency: 1 });
  try {
    await run(
      { config, db, log, jobs, clock: systemClock, mailer: createMailer(config, jobs) },
      positionals,
      values.ground ?? '',
    );
  } finally {
    await db.close();
    await postgres?.stop();
  }
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
