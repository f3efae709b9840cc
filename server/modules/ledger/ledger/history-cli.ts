/**
 * `npm run ledger:history -- ACCOUNT [--from DAY] [--to DAY] [--csv]` prints the history of an account from
 * DATABASE_URL or the embedded database, also while the platform is running. The days are inclusive and in UTC, and the
 * default is the current month. Without an account it lists the platform accounts with their balances. Exits with 1
 * when the history does not add up.
 */
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { formatCents } from '@stagedoor/contract/shared/money.ts';
import { runCliCommand } from '../../../platform/cli.ts';
import { systemClock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/db.ts';
import { type DateSpan, findAccountHistory, listPlatformAccounts } from './history.ts';
import { getBalance } from './post.ts';

const USAGE = 'npm run ledger:history -- ACCOUNT [--from YYYY-MM-DD] [--to YYYY-MM-DD] [--csv]';
const DAY_MS = 86_400_000;

function parseMidnight(day: string): Date {
  const at = new Date(`${day}T00:00:00.000Z`);
  if (Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== day)
    throw new Error(`${day} is not a valid date. ${USAGE}`);
  return at;
}

/** Waits for the reader of stdout when its buffer is full. */
async function printLine(text: string): Promise<void> {
  if (!process.stdout.write(`${text}\n`)) await once(process.stdout, 'drain');
}

const formatPlain = (cents: number) => (cents / 100).toFixed(2);

async function printAccounts(db: Database): Promise<void> {
  for (const code of await listPlatformAccounts(db))
    await printLine(`${formatCents(await getBalance(db, code)).padStart(16)}  ${code}`);
  await printLine(USAGE);
}

async function printHistory(db: Database, code: string, span: DateSpan, isCsv: boolean): Promise<void> {
  const row = isCsv
    ? (at: string, kind: string, moved: number | null, balance: number, id = '') =>
        [at, kind, moved === null ? '' : formatPlain(moved), formatPlain(balance), id].join(',')
    : (at: string, kind: string, moved: number | null, balance: number, id = '') =>
        `${at.padEnd(23)}  ${kind.padEnd(20)} ${(moved === null ? '' : formatCents(moved, { sign: true })).padStart(16)} ${formatCents(balance).padStart(16)}  ${id}`.trimEnd();
  await db.snapshot(async (snapshot) => {
    const history = await findAccountHistory(snapshot, code, span);
    if (!history) throw new Error(`Account ${code} not found. Run without an account to list the platform's accounts.`);
    let balance = history.openingCents;
    if (isCsv) await printLine('at,kind,moved,balance,transaction');
    await printLine(row(span.from.toISOString().slice(0, 10), 'opening', null, balance));
    for await (const page of history.movements) {
      const rows = page.map(({ at, kind, cents, transactionId }) => {
        balance += cents;
        return row(at.toISOString().slice(0, 23).replace('T', ' '), kind, cents, balance, transactionId);
      });
      await printLine(rows.join('\n'));
    }
    const last = new Date(span.to.getTime() - DAY_MS).toISOString().slice(0, 10);
    await printLine(row(last, 'closing', null, history.closingCents));
    if (balance !== history.closingCents)
      throw new Error(`MISMATCH: lines add up to ${formatCents(balance)}. Run npm run ledger:check.`);
  });
}

await runCliCommand(async ({ db }) => {
  const { values, positionals } = parseArgs({
    options: { from: { type: 'string' }, to: { type: 'string' }, csv: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const today = systemClock.now().toISOString().slice(0, 10);
  const span = {
    from: parseMidnight(values.from ?? `${today.slice(0, 7)}-01`),
    to: new Date(parseMidnight(values.to ?? today).getTime() + DAY_MS),
  };
  const [code] = positionals;
  await (code === undefined ? printAccounts(db) : printHistory(db, code, span, values.csv));
});
