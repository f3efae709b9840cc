import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { setUpMoneyTest } from '../../../testing/money.ts';
import { type DateSpan, findAccountHistory, listPlatformAccounts } from './history.ts';
import { account, getBalance, type Posting, postTransaction, sumInflows } from './index.ts';

const money = setUpMoneyTest();
const NOON = new Date('2026-03-04T12:00:00Z');
const hours = (count: number) => new Date(NOON.getTime() + count * 3_600_000);
const toUtcDay = (at: Date) => at.toISOString().slice(0, 10);
const ALWAYS: DateSpan = { from: new Date('2000-01-01'), to: new Date('2100-01-01') };
const FEE = 'rev:platform_fee:tip';

async function readHistory(code: string, span: DateSpan = ALWAYS) {
  return money.db.snapshot(async (db) => {
    const history = await findAccountHistory(db, code, span);
    if (!history) throw new Error(`no account ${code}`);
    const movements = [];
    for await (const page of history.movements) movements.push(...page);
    expect(
      movements.reduce((sum, { cents }) => sum + cents, history.openingCents),
      code,
    ).toBe(history.closingCents);
    return { ...history, movements };
  });
}

const posted = (posting: Posting) => money.db.transaction((tx) => postTransaction(tx, posting));

async function pay(fan: string, cents: number, at: Date): Promise<(back: number, at: Date) => Promise<unknown>> {
  const { transactionId } = await posted({
    kind: 'test',
    legs: [
      [account.wallet(fan), cents],
      [FEE, -cents],
    ],
    at,
  });
  return (back, refundedAt) =>
    posted({
      kind: 'sale_refund',
      legs: [
        [FEE, back],
        [account.wallet(fan), -back],
      ],
      reversesId: transactionId,
      tag: 'test',
      day: toUtcDay(at),
      at: refundedAt,
    });
}

describe('the account history', () => {
  it('lists every transaction of the platform accounts in order between any two midnights', async () => {
    const fan = await money.fan();
    await money.deposit(fan, 100_000, 2_000, hours(-72));
    const paid = [];
    for (let hour = -48; hour <= 48; hour += 16) {
      paid.push(await pay(fan, 200, hours(hour)));
      if (hour === 0) await sumInflows(money.db);
    }
    await paid[0]?.(60, hours(24));
    await paid[1]?.(200, hours(72));
    for (const code of [...(await listPlatformAccounts(money.db)), account.wallet(fan)]) {
      expect((await readHistory(code)).closingCents, code).toBe(await getBalance(money.db, code));
      let closing = 0;
      for (let hour = -108; hour < 108; hour += 24) {
        const history = await readHistory(code, { from: hours(hour), to: hours(hour + 24) });
        expect(history.openingCents, `${code} on ${toUtcDay(hours(hour))}`).toBe(closing);
        closing = history.closingCents;
      }
    }
    const { movements } = await readHistory(FEE);
    const payments = (count: number) => Array.from({ length: count }, () => ['test', 200]);
    expect(movements.map(({ kind, cents }) => [kind, cents])).toEqual([
      ...payments(5),
      ['sale_refund', -60],
      ...payments(2),
      ['sale_refund', -200],
    ]);
    expect(await findAccountHistory(money.db, 'rev:nothing', ALWAYS)).toBeUndefined();
  });

  it('is available as a command in text and CSV format', async () => {
    const fan = await money.fan(5_000);
    await pay(fan, 1_000, NOON);
    const cli = fileURLToPath(new URL('history-cli.ts', import.meta.url));
    const run = (...args: string[]) =>
      promisify(execFile)(process.execPath, [cli, ...args], { env: { ...process.env, DATABASE_URL: money.url } });
    expect((await run()).stdout).toContain(FEE);
    const days = ['--from', '2026-03-04', '--to', '2026-03-04'];
    const { stdout } = await run(account.wallet(fan), ...days, '--csv');
    const [head, opening, line, closing] = stdout.split('\n');
    expect([head, opening, closing]).toEqual([
      'at,kind,moved,balance,transaction',
      '2026-03-04,opening,,0.00,',
      '2026-03-04,closing,,-10.00,',
    ]);
    expect(line).toMatch(/^2026-03-04 12:00:00\.000,test,-10\.00,-10\.00,[0-9a-f-]{36}$/);
    expect((await run(account.wallet(fan), ...days)).stdout).toMatch(/test +−\$10\.00 +−\$10\.00 {2}[0-9a-f-]{36}/);
    await expect(run('rev:nothing')).rejects.toMatchObject({ stderr: expect.stringContaining('not found') });
  });
});
