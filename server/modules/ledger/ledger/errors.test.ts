import { PATHS, SPENDING_LIMITS_PATH } from '@stagedoor/contract/shared/addresses.ts';
import { describe, expect, it } from 'vitest';
import {
  ConcurrentOperationError,
  createSpendingBlockedError,
  createSpendingBreakError,
  toLedgerRefusal,
  translateRefusals,
} from './errors.ts';

const createDatabaseError = (code: unknown, more: object = {}) =>
  Object.assign(new Error('from PostgreSQL'), { code, ...more });
const translate = (error: unknown) => translateRefusals(Promise.reject(error)).catch((refusal: unknown) => refusal);

describe('a refusal of the ledger', () => {
  it.each([
    ['SD402', 'INSUFFICIENT_FUNDS'],
    ['SD404', 'NOT_FOUND'],
    ['SD409', 'CONFLICT'],
  ])('%s becomes %s', async (code, expected) => {
    expect(await translate(createDatabaseError(code))).toMatchObject({ name: 'AppError', code: expected });
  });

  it('has a message about an operation id that was used for another request', () => {
    expect(toLedgerRefusal('SD409', '')?.message).toBe('This operation ID was used for another request.');
  });

  it('of a blocked wallet names the debt, if there is one, and links to the wallet', async () => {
    expect(await translate(createDatabaseError('SD403', { detail: '4550' }))).toMatchObject({
      code: 'FORBIDDEN',
      message: 'Spending is paused: you owe $45.50 because a payment was reversed. See your wallet.',
      data: { href: PATHS.fanWallet },
    });
    for (const error of [
      createSpendingBlockedError(0),
      await translate(createDatabaseError('SD403')),
      await translate(createDatabaseError('SD403', { detail: 0 })),
    ])
      expect(error).toMatchObject({
        code: 'FORBIDDEN',
        message: 'Spending is paused on this account. See your wallet for details.',
      });
  });

  it.each([
    ['day', 'daily', 'It resets at midnight UTC.'],
    ['week', 'weekly', 'It resets on Monday at midnight UTC.'],
    ['month', 'monthly', 'It resets on the first of the month, at midnight UTC.'],
  ])('by the limit of a %s names it and when it resets', (period, name, hint) => {
    const start = `This is above your ${name} spending limit of $40.00.`;
    expect(toLedgerRefusal('SD410', `${period} 4000`)).toMatchObject({
      code: 'FORBIDDEN',
      message: `${start} ${hint}`,
      data: { localMessage: { text: `${start} Next reset: {time}.`, endOf: period } },
    });
  });

  it('by a spending break names its end', () => {
    const message = 'Spending is paused until 2026-11-18 12:00 UTC. It can’t be ended early.';
    const until = '2026-11-18T12:00:00Z';
    expect(toLedgerRefusal('SD413', until)).toMatchObject({ code: 'FORBIDDEN', message });
    expect(createSpendingBreakError(new Date(until))).toMatchObject({ code: 'FORBIDDEN', message });
  });

  it('by a limit or a break links to the spending limits', () => {
    const hrefs = [toLedgerRefusal('SD410', 'day 100'), toLedgerRefusal('SD413', '2026-11-18T12:00:00Z')].map(
      (error) => error?.data.href,
    );
    expect(hrefs).toEqual([SPENDING_LIMITS_PATH, SPENDING_LIMITS_PATH]);
  });
});

describe('the same operation at the same time', () => {
  it('is an error that makes the transaction run again', async () => {
    const unique = createDatabaseError('23505', { constraint: 'ledger_transactions_operation' });
    for (const cause of [createDatabaseError('40001'), unique]) {
      const error = await translate(cause);
      expect(error).toBeInstanceOf(ConcurrentOperationError);
      expect(error).toMatchObject({ code: '40001', cause });
    }
  });
});

describe('any other error', () => {
  it.each([
    ['an unknown code', createDatabaseError('23514')],
    ['another unique constraint', createDatabaseError('23505', { constraint: 'sales_pkey' })],
    ['a code that is no text', createDatabaseError(409)],
    ['no code', new Error('a bug')],
    ['no error at all', { code: 'SD402' }],
    ['nothing', undefined],
  ])('stays what it is: %s', async (_, error) => {
    expect(await translate(error)).toBe(error);
  });
});
