/**
 * `npm run ledger:history -- ACCOUNT [--from DAY] [--to DAY] [--csv]` prints the history of an account from
 * DATABASE_URL or the embedded database, also while the platform is running. The days are inclusive and in UTC, and the
 * default is the current month. Without an account it lists the platform accounts with their balances. Exits with 1
 * when the history does not add up.
 */
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { formatCents } from '@stagedoor/contract/atoms/money.ts';
import { atTheMachine } from '../../kernel/at-the-machine.ts';
import { systemClock } from '../../kernel/clock.ts';
import type { Database } from '../../kernel/db.ts';
import { accountHistory, platformAccounts, type Span } from './history.ts';
import { balanceOf } from './post.ts';

const USAGE = 'npm run ledger:history -- ACCOUNT [--from YYYY-MM-DD] [--to YYYY-MM-DD] [--csv]';
const DAY_MS = 86_400_000;

function midnight(day: string): Date {
  const at = new Date(`${day}T00:00:00.000Z`);
  if (Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== day)
    throw new Error(`${day} is not a valid date. ${USAGE}`);
  return at;
}

/** Waits for the reader of stdout when its buffer is full. */
async function say(text: string): Promise<void> {
  if (!process.stdout.write(`${text}\n`)) await once(process.stdout, 'drain');
}

const plain = (cents: number) => (cents / 100).toFixed(2);

async function listAccounts(db: Database): Promise<void> {
  for (const code of await platformAccounts(db))
    await say(`${formatCents(await balanceOf(db, code)).padStart(16)}  ${code}`);
  await say(USAGE);
}

async function sayHistory(db: Database, code: string, span: Span, isTable: boolean): Promise<void> {
  const row = isTable
    ? (at: string, kind: string, moved: number | null, balance: number, id = '') =>
        [at, kind, moved === null ? '' : plain(moved), plain(balance), id].join(',')
    : (at: string, kind: string, moved: number | null, balance: number, id = '') =>
        `${at.padEnd(23)}  ${kind.padEnd(20)} ${(moved === null ? '' : formatCents(moved, { sign: true })).padStart(16)} ${formatCents(balance).padStart(16)}  ${id}`.trimEnd();
  await db.snapshot(async (snapshot) => {
    const history = await accountHistory(snapshot, code, span);
    if (!history) throw new Error(`Account ${code} not found. Run without an account to list the platform's accounts.`);
    let balance = history.openingCents;
    if (isTable) await say('at,kind,moved,balance,transaction');
    await say(row(span.from.toISOString().slice(0, 10), 'opening', null, balance));
    for await (const page of history.movements) {
      const rows = page.map(({ at, kind, cents, transactionId }) => {
        balance += cents;
        return row(at.toISOString().slice(0, 23).replace('T', ' '), kind, cents, balance, transactionId);
      });
      await say(rows.join('\n'));
    }
    const last = new Date(span.to.getTime() - DAY_MS).toISOString().slice(0, 10);
    await say(row(last, 'closing', null, history.closingCents));
    if (balance !== history.closingCents)
      throw new Error(`MISMATCH: lines add up to ${formatCents(balance)}. Run npm run ledger:check.`);
  });
}

await atTheMachine(async ({ db }) => {
  const { values, positionals } = parseArgs({
    options: { from: { type: 'string' }, to: { type: 'string' }, csv: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const today = systemClock.now().toISOString().slice(0, 10);
  const span = {
    from: midnight(values.from ?? `${today.slice(0, 7)}-01`),
    to: new Date(midnight(values.to ?? today).getTime() + DAY_MS),
  };
  const [code] = positionals;
  await (code === undefined ? listAccounts(db) : sayHistory(db, code, span, values.csv));
});
