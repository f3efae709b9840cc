/**
 * `npm run payments`: the operator's desk on the machine, on DATABASE_URL or the embedded database, whether or not the platform is
 * running. Without words it lists what needs a person; `retry`, `dismiss` or `refund` with an id and `--ground` decides. What
 * is decided is done by the running platform, or by its next start.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isId } from '@stagedoor/contract/atoms/ids.ts';
import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import { decideProcessorEvent, PROCESSOR_DECISIONS } from '@stagedoor/contract/processor-desk.ts';
import { systemClock } from '../../kernel/clock.ts';
import { readConfig } from '../../kernel/config.ts';
import { openDatabase } from '../../kernel/db.ts';
import { createJobs } from '../../kernel/jobs.ts';
import { createLogger } from '../../kernel/log.ts';
import { startPostgres } from '../../kernel/postgres.ts';
import { type Desk, decideEvent, viewEvents } from './desk.ts';

const USAGE = 'npm run payments -- [list | retry ID | dismiss ID | refund ID] [--ground "why"]';

type Event = Awaited<ReturnType<typeof viewEvents>>['data'][number];

function lineOf({ id, receivedAt, eventType, amount, order, state, reason }: Event): string {
  const what = [
    eventType ?? 'unnamed',
    amount === null ? '' : formatUsd(amount),
    order ? `order of ${order.fan.username}` : 'no order',
  ];
  return `${id}  ${receivedAt.slice(0, 16).replace('T', ' ')}  ${state}  ${what.filter((word) => word !== '').join(', ')}: ${reason ?? ''}`;
}

async function run(desk: Desk, [verb = 'list', id = '']: readonly string[], ground: string): Promise<void> {
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
    await run({ config, db, log, jobs, clock: systemClock }, positionals, values.ground ?? '');
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
