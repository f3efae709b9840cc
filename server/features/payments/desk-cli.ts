/**
 * `npm run payments`: payment administration on the command line, on DATABASE_URL or the embedded database, also while
 * the platform is running. Without arguments it lists what needs a decision. `retry`, `dismiss` and `refund` take a
 * webhook id and `--ground`, `won` takes the id of a chargeback, `writeOff` the id of a fan with a debt. The running
 * platform, or its next start, executes decisions and sends mails. `reconcile` compares the books now, `differences`
 * lists unexplained differences, and `explain` with an id and `--reason` explains one.
 */
import { parseArgs } from 'node:util';
import { isId } from '@stagedoor/contract/atoms/ids.ts';
import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import { DEBT_DECISIONS } from '@stagedoor/contract/debts.ts';
import { COMPARISONS } from '@stagedoor/contract/differences.ts';
import { ground as groundSchema, PROCESSOR_DECISIONS } from '@stagedoor/contract/processor-desk.ts';
import { atTheMachine } from '../../kernel/at-the-machine.ts';
import { systemClock } from '../../kernel/clock.ts';
import { createJobs } from '../../kernel/jobs.ts';
import { createLogger } from '../../kernel/log.ts';
import { createMailer } from '../../kernel/mail.ts';
import { decideDebt, viewDebtors } from './debts.ts';
import { type Desk, decideEvent, viewEvents } from './desk.ts';
import { explainDifference, viewComparisons, viewDifferences } from './differences.ts';
import { reconcile } from './reconcile.ts';

const USAGE = `npm run payments -- [list | retry ID | dismiss ID | refund ID | refunded ID | notRefunded ID] [--reason "why"]
npm run payments -- chargebacks | won ID | notWon ID --reason "why"
npm run payments -- debts | writeOff FAN | block FAN | unblock FAN --reason "why"
npm run payments -- reconcile | differences | explain ID --reason "why"`;

type Event = Awaited<ReturnType<typeof viewEvents>>['data'][number];

function lineOf({ id, receivedAt, eventType, amount, order, state, reason }: Event): string {
  const what = [
    eventType ?? 'unnamed',
    amount === null ? '' : formatUsd(amount),
    order ? `order of ${order.fan.username}` : 'no order',
  ];
  return `${id}  ${receivedAt.slice(0, 16).replace('T', ' ')}  ${state}  ${what.filter((word) => word !== '').join(', ')}: ${reason ?? ''}`;
}

type Debtor = Awaited<ReturnType<typeof viewDebtors>>['data'][number];

function debtLineOf({ fan, owed, blocked, parts }: Debtor): string {
  const since = parts[0] ? ` since ${parts[0].at.slice(0, 10)}` : '';
  const why = { debt: 'blocked for debt', person: 'blocked by staff' };
  return `${fan.id}  ${fan.username} owes ${formatUsd(owed)}${since}, ${blocked === null ? 'can spend' : why[blocked]}`;
}

type Difference = Awaited<ReturnType<typeof viewDifferences>>['data'][number];

function differenceLine({ id, words, key, theirs, ours, openedAt, facts, explanations }: Difference): string {
  const sums = [theirs === null ? '' : `theirs ${formatUsd(theirs)}`, ours === null ? '' : `ours ${formatUsd(ours)}`];
  const known = Object.entries(facts).map(([name, value]) => `${name} ${value}`);
  const said = explanations.map(({ ground }) => `explained: ${ground}`);
  const parts = [key, ...sums, ...known, ...said].filter((part) => part !== '');
  return `${id}  since ${openedAt.slice(0, 10)}  ${words}: ${parts.join(', ')}`;
}

function say(lines: readonly string[], none: string): void {
  for (const line of lines) console.log(line);
  console.log(lines.length === 0 ? none : USAGE);
}

const PAGE = { limit: 50, offset: '0' };
const LISTS: Readonly<Record<string, (desk: Desk) => Promise<void>>> = {
  async list(desk) {
    const pages = await Promise.all(
      (['quarantined', 'refunding'] as const).map((state) => viewEvents(desk, { state, ...PAGE })),
    );
    say(
      pages.flatMap(({ data }) => data.map(lineOf)),
      'Nothing to review.',
    );
  },
  async chargebacks(desk) {
    const pages = await Promise.all(
      (['processed', 'won'] as const).map((state) => viewEvents(desk, { state, type: 'Chargeback', ...PAGE })),
    );
    say(
      pages.flatMap(({ data }) => data.map(lineOf)),
      'No chargebacks.',
    );
  },
  async debts(desk) {
    const { data } = await viewDebtors(desk, PAGE);
    say(data.map(debtLineOf), 'No debts or spending blocks.');
  },
  async differences(desk) {
    const { data } = await viewDifferences(desk, { state: 'open', ...PAGE });
    say(data.map(differenceLine), 'No unexplained discrepancies.');
  },
  async reconcile(desk) {
    await reconcile(desk, { isAgain: true });
    const { data } = await viewComparisons(desk, { limit: 10, offset: '0' });
    for (const comparison of COMPARISONS) {
      const last = data.find((one) => one.comparison === comparison);
      if (last)
        console.log(`${comparison}, ${last.day}: ${last.outcome}${last.detail === null ? '' : `, ${last.detail}`}`);
    }
    await LISTS.differences?.(desk);
  },
};

async function run(desk: Desk, [verb = 'list', id = '']: readonly string[], ground: string): Promise<void> {
  const list = LISTS[verb];
  if (list) return list(desk);
  if (!isId(id)) throw new Error(USAGE);
  const ofEvent = PROCESSOR_DECISIONS.find((known) => known === verb);
  const ofDebt = DEBT_DECISIONS.find((known) => known === verb);
  const said = groundSchema.safeParse(ground);
  if (!ofEvent && !ofDebt && verb !== 'explain') throw new Error(USAGE);
  if (!said.success) throw new Error(`--reason: ${said.error.issues[0]?.message ?? 'Give a reason.'}`);
  if (verb === 'explain') console.log(differenceLine(await explainDifference(desk, null, id, said.data)));
  if (ofEvent) console.log(lineOf(await decideEvent(desk, null, id, { decision: ofEvent, ground: said.data })));
  if (ofDebt) console.log(debtLineOf(await decideDebt(desk, null, id, { decision: ofDebt, ground: said.data })));
}

await atTheMachine(async ({ config, db, databaseUrl }) => {
  const { values, positionals } = parseArgs({ options: { reason: { type: 'string' } }, allowPositionals: true });
  const log = createLogger({ level: 'warn', isPretty: true });
  const jobs = createJobs(databaseUrl, () => db, log, { concurrency: 1 });
  const desk = { config, db, log, jobs, clock: systemClock, mailer: createMailer(config, jobs) };
  await run(desk, positionals, values.reason ?? '');
});
