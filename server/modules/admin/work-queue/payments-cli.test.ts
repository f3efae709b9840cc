import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { createTestApp } from '../../../testing/app.ts';
import { setUpMoneyTest } from '../../../testing/money.ts';
import { createPaidDeposit } from '../../commerce/deposits/testing.ts';
import { reconcile } from '../../commerce/reconciliation/index.ts';
import { account, getSpendingStatus, postTransaction, reverseDeposit } from '../../ledger/ledger/index.ts';
import { createDeposit } from '../../ledger/ledger/testing.ts';

const money = setUpMoneyTest();
const cli = fileURLToPath(new URL('./payments-cli.ts', import.meta.url));

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

it('npm run payments lists and explains differences, and compares again', async () => {
  const app = await createTestApp();
  const payments = async (...args: string[]) => {
    const env = { ...process.env, NODE_ENV: 'test', DATABASE_URL: app.databaseUrl, DATA_DIR: app.ctx.config.dataDir };
    return (await promisify(execFile)(process.execPath, [cli, ...args], { env })).stdout;
  };
  try {
    const [fan, operator] = await Promise.all([app.signUp('customer'), app.signUp('operator')]);
    await createDeposit(app.ctx.db, fan.id, 700);
    await reconcile(app.ctx);
    const { data } = (await operator.inject('GET', '/api/admin/differences?state=open&limit=50')).json();
    expect(data).toHaveLength(2);
    const listed = await payments('differences');
    for (const { id } of data) expect(listed).toContain(id);
    expect(listed).toContain('asset:processor:ccbill:clearing, ours $7.00');
    await expect(payments('explain', data[0].id, '--reason', '')).rejects.toThrow('Give a reason');
    for (const { id } of data) {
      expect(await payments('explain', id, '--reason', 'a test deposit')).toContain('explained: a test deposit');
      const log = (await operator.inject('GET', `/api/admin/audit?subjectId=${id}`)).json();
      expect(log.data).toMatchObject([
        { action: 'difference.explain', operator: null, details: { reason: 'a test deposit' } },
      ]);
    }
    await createPaidDeposit(app, fan, 50);
    const compared = await payments('reconcile');
    expect(compared).toMatch(/orders, \d{4}-\d\d-\d\d: different/);
    expect(compared).toContain('No unexplained discrepancies.');
  } finally {
    await app.close();
  }
});
