/** Histories of accounts: each transaction that moved one, proven by the sums that are kept beside it. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { chargeNow } from '../sales/index.ts';
import { later, NOON, refundIn, tip, unlock } from '../sales/testing.ts';
import { accountHistory, platformAccounts, type Span } from './history.ts';
import { account, balanceOf, clearDue, rollInflows } from './index.ts';
import { moneyTest } from './testing.ts';

const money = moneyTest();
const span = (from: string, to: string): Span => ({ from: new Date(`${from}T00:00Z`), to: new Date(`${to}T00:00Z`) });
const ALWAYS = span('2000-01-01', '2100-01-01');

/** What moved it, after having seen that it adds up. */
async function historyOf(code: string, of: Span = ALWAYS) {
  return money.db.snapshot(async (db) => {
    const history = await accountHistory(db, code, of);
    if (!history) throw new Error(`no account ${code}`);
    const moved = [];
    for await (const page of history.movements) moved.push(...page);
    expect(
      moved.reduce((sum, { cents }) => sum + cents, history.openingCents),
      code,
    ).toBe(history.closingCents);
    return { ...history, moved };
  });
}

describe('the history of an account', () => {
  it('has every transaction of the platform’s accounts, in order, between any two midnights', async () => {
    const [fan, creator] = [await money.fan(), await money.creator(later(-400))];
    await money.deposit(fan, 100_000, 2_000, later(-3));
    const sold = [];
    for (let hour = -48; hour <= 48; hour += 8) {
      const sale = hour % 16 === 0 ? tip(fan, creator, 1_000) : unlock(fan, creator, randomUUID(), 500);
      sold.push((await chargeNow(money.db, { ...sale, at: later(hour / 24) })).transactionId);
      if (hour === 0) await rollInflows(money.db);
    }
    await refundIn(money.db, sold[0] ?? '', 300, later(1));
    await refundIn(money.db, sold[2] ?? '', undefined, later(3));
    await clearDue(money.db, later(9));
    const codes = [
      ...(await platformAccounts(money.db)),
      ...[account.wallet(fan), account.pending(creator), account.available(creator), account.receivable(creator)],
    ];
    for (const code of codes.filter((each) => !each.includes(':receivable'))) {
      expect((await historyOf(code)).closingCents, code).toBe(await balanceOf(money.db, code));
      let closing: number | undefined;
      for (let day = 1; day < 15; day += 1) {
        const date = (at: number) => `2026-03-${String(at).padStart(2, '0')}`;
        const { openingCents, closingCents } = await historyOf(code, span(date(day), date(day + 1)));
        expect(openingCents, `${code} on ${date(day)}`).toBe(closing ?? openingCents);
        closing = closingCents;
      }
    }
    const { moved } = await historyOf('rev:platform_fee:tip');
    expect(moved.map(({ kind, cents }) => [kind, cents])).toEqual([
      ...Array.from({ length: 5 }, () => ['tip', 200]),
      ['sale_refund', -60],
      ['tip', 200],
      ['tip', 200],
      ['sale_refund', -200],
    ]);
    expect(await accountHistory(money.db, 'rev:nothing', ALWAYS)).toBeUndefined();
  });

  it('is a command, as words and as a table', async () => {
    const [fan, creator] = [await money.fan(5_000), await money.creator(later(-400))];
    await chargeNow(money.db, tip(fan, creator, 1_000, { at: NOON }));
    const cli = fileURLToPath(new URL('history-cli.ts', import.meta.url));
    const run = (...args: string[]) =>
      promisify(execFile)(process.execPath, [cli, ...args], { env: { ...process.env, DATABASE_URL: money.url } });
    expect((await run()).stdout).toContain('rev:platform_fee:tip');
    const wallet = account.wallet(fan);
    const { stdout } = await run(wallet, '--from', '2026-03-04', '--to', '2026-03-04', '--csv');
    const [head, , line, closing] = stdout.split('\n');
    expect(head).toBe('at,kind,moved,balance,transaction');
    expect(line).toMatch(/^2026-03-04 12:00:00\.000,tip,-10\.00,/);
    expect(closing).toMatch(/^2026-03-04,closing,,/);
    await expect(run('rev:nothing')).rejects.toMatchObject({ stderr: expect.stringContaining('no account') });
  });
});
