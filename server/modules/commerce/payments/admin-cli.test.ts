import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { setUpMoneyTest } from '../../../testing/money.ts';
import { account, getSpendingStatus, postTransaction, reverseDeposit } from '../../ledger/ledger/index.ts';

const money = setUpMoneyTest();
const cli = fileURLToPath(new URL('./admin-cli.ts', import.meta.url));

async function run(...args: string[]): Promise<string> {
  const env = { ...process.env, DATABASE_URL: money.url, NODE_ENV: 'development' };
  try {
    return (await promisify(execFile)(process.execPath, [cli, ...args], { env })).stdout;
  } catch (error) {
    if (error instanceof Error && 'stderr' in error) return String(error.stderr);
    throw error;
  }
}

it('npm run payments lists debtors and writes off a debt only with a reason', async () => {
  expect(await run('chargebacks')).toContain('No chargebacks.');
  const fan = await money.fan();
  const deposit = await money.deposit(fan, 5_000);
  await money.db.transaction(async (tx) => {
    await postTransaction(tx, {
      kind: 'test',
      legs: [
        [account.wallet(fan), 4_500],
        ['rev:payout_fee', -4_500],
      ],
    });
    const event = { kind: 'chargeback', provider: 'ccbill', ref: 'r', eventKey: 'r' } as const;
    await reverseDeposit(tx, { depositTransactionId: deposit, ...event });
  });
  expect(await run('debts')).toMatch(new RegExp(`${fan} .* owes \\$45\\.00 since .*blocked for debt`));
  expect(await run('writeOff', fan)).toContain('--reason');
  expect(await run('writeOff', 'somebody', '--reason', 'a reason')).toContain('npm run payments --');
  expect(await run('forgive', fan, '--reason', 'a reason')).toContain('npm run payments --');
  expect((await getSpendingStatus(money.db, fan)).owedCents).toBe(4_500);
  expect(await run('writeOff', fan, '--reason', 'after a call')).toMatch(/owes \$0\.00, can spend/);
  expect(await run('block', fan, '--reason', 'after a call')).toMatch(/blocked by staff/);
  expect(await getSpendingStatus(money.db, fan)).toMatchObject({ owedCents: 0, isBlocked: true, isForDebt: false });
});
