import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { setUpMoneyTest } from '../../../testing/money.ts';
import { account, type Leg, placeHold, postTransaction, setSpendingBlocked } from './index.ts';
import { addKind, catchErrorCode } from './testing.ts';

const money = setUpMoneyTest();
const UNBOUND = [
  'chargeback_upheld',
  'debt_repayment',
  'deposit_chargeback',
  'deposit_refund',
  'deposit_return',
  'deposit_void',
];

type Kind = { kind: string; debits: string[]; credits: string[] };
let kinds: Kind[];
let fan: string;
let wallet: string;

beforeAll(async () => {
  await addKind(money.owner, { kind: 'new', debits: ['liab:fan:%:wallet'], credits: ['asset:bank:operating'] });
  kinds = (await money.db.pool.query<Kind>('select kind, debits, credits from ledger_kinds order by kind')).rows;
  fan = await money.fan(10_000);
  wallet = account.wallet(fan);
  const hold = { fanId: fan, amountCents: 1_000, purpose: 'test', operationId: randomUUID(), defaultLimitCents: 1_000 };
  const at = new Date();
  await money.db.transaction((tx) => placeHold(tx, { ...hold, expiresAt: new Date(at.getTime() + 60_000), at }));
});

function matching(patterns: readonly string[]): string {
  const pattern = patterns.find((one) => one !== 'liab:fan:%:wallet') ?? '%';
  if (pattern === '%') return 'rev:deposit_fee';
  return pattern.replace(
    '%',
    pattern.startsWith('asset:processor:') ? 'ccbill' : pattern.startsWith('rev:') ? 'tip' : fan,
  );
}

const listMatching = (side: 'debits' | 'credits') =>
  kinds.filter((kind) => kind[side].some((one) => one === '%' || one === 'liab:fan:%:wallet'));

const fundings = (legs: readonly Leg[]): Leg[][] =>
  legs.flatMap(([code, amount]) =>
    /:(available|receivable)$/.test(code)
      ? [
          [
            [code, -amount],
            ['rev:deposit_fee', amount],
          ],
        ]
      : [],
  );

async function refusal(kind: string, legs: readonly Leg[]): Promise<unknown> {
  const rollback = new Error('rolled back');
  const tried = await catchErrorCode(
    money.db.transaction(async (tx) => {
      for (const funding of fundings(legs)) await postTransaction(tx, { kind: 'test', legs: funding });
      await postTransaction(tx, { kind, legs });
      throw rollback;
    }),
  );
  return tried === rollback ? undefined : tried;
}

async function listFrozenDebits(): Promise<[string, unknown][]> {
  const found: [string, unknown][] = [];
  for (const { kind, credits } of listMatching('debits'))
    found.push([
      kind,
      await refusal(kind, [
        [wallet, 10],
        [matching(credits), -10],
      ]),
    ]);
  return found;
}

const freeze = (isFrozen: boolean) => money.db.transaction((tx) => setSpendingBlocked(tx, fan, isFrozen));

it('a frozen wallet refuses debits of every kind except processor reversals and debt repayment', async () => {
  const free = await listFrozenDebits();
  expect(free.length).toBeGreaterThan(10);
  expect(free.filter(([, why]) => why !== undefined)).toEqual([]);
  await freeze(true);
  expect(await listFrozenDebits()).toEqual(
    free.map(([kind]) => [kind, UNBOUND.includes(kind) ? undefined : 'FORBIDDEN']),
  );
  await freeze(false);
  expect(await listFrozenDebits()).toEqual(free);
});

it('a frozen wallet accepts credits and captures of earlier holds', async () => {
  await freeze(true);
  for (const { kind, debits } of listMatching('credits')) {
    const legs: Leg[] = [
      [matching(debits), 10],
      [wallet, -10],
    ];
    expect([kind, await refusal(kind, legs)]).toEqual([kind, undefined]);
  }
  const capture: Leg[] = [
    [account.hold(fan), 10],
    ['rev:platform_fee:call', -10],
  ];
  expect(await refusal('call', capture)).toBeUndefined();
});

it('the exemption of a kind from frozen wallets cannot be changed', async () => {
  const loosen = money.owner.pool.query("update ledger_kinds set can_debit_frozen = true where kind = 'tip'");
  expect(await catchErrorCode(loosen)).toBe('42501');
});
