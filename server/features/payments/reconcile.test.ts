/** The daily comparison: of the books with themselves and with what the processor exports, both ways, by a server that speaks as DataLink does. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DifferenceKind } from '@stagedoor/contract/differences.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../testing/app.ts';
import { listDifferences } from '../ledger/index.ts';
import { makeDeposit } from '../ledger/testing.ts';
import { createDataLink, type DataLink } from './ccbill/datalink.ts';
import { arizonaDigits, instantOfDigits } from './ccbill/values.ts';
import { decideEvent } from './desk.ts';
import { reconcile } from './reconcile.ts';
import { paidDeposit, postEvent, processorId, reversalFields, storedEvents } from './testing.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Half past two in Arizona. */
const NIGHT = new Date('2026-03-04T09:30:00.000Z');

type Exported = { type: 'NEW' | 'REFUND' | 'CHARGEBACK' | 'VOID'; id: string; cents: number; at: Date };

let app: TestApp;
let fan: TestUser;
let server: Server;
let dataLink: DataLink;
/** What the processor knows, and what it was asked for; it can be away. */
const processor = { rows: [] as Exported[], garbage: '', asked: [] as string[], isAway: false };

const lineOf = ({ type, id, cents, at }: Exported) => {
  const amount = (cents / 100).toFixed(2);
  const rest = type === 'NEW' ? [...Array.from({ length: 12 }, () => ''), amount] : [amount];
  return [type, '900000', '0000', id, arizonaDigits(at), ...rest].map((cell) => `"${cell}"`).join(',');
};

beforeAll(async () => {
  server = createServer((request, response) => {
    const query = new URL(request.url ?? '', 'http://localhost').searchParams;
    const [from, to] = [instantOfDigits(query.get('startTime') ?? ''), instantOfDigits(query.get('endTime') ?? '')];
    processor.asked.push(query.get('startTime')?.slice(0, 8) ?? '');
    if (processor.isAway || !from || !to) return void response.writeHead(503).end();
    const lines = processor.rows.filter(({ at }) => at >= from && at <= to).map(lineOf);
    response.end([...lines, processor.garbage].filter((line) => line !== '').join('\n') || '1');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const of = { account: '900000', subaccount: '0000', username: 'books', password: 'secret' };
  dataLink = createDataLink({ url: `http://127.0.0.1:${port}`, ...of });
});
afterAll(() => void server.close());
beforeEach(async () => {
  Object.assign(processor, { rows: [], garbage: '', asked: [], isAway: false });
  app = await createTestApp({ now: NIGHT });
  fan = await app.signUp('customer');
});
afterEach(() => app.close());

/** A fan's paid deposit of $50, which costs $51.02; the processor knows of it too, unless told otherwise. */
async function paid(isKnown = true) {
  const { deposit, saleId } = await paidDeposit(app, fan, 50);
  if (isKnown) processor.rows.push({ type: 'NEW', id: saleId, cents: 5_102, at: app.clock.now() });
  return { deposit, saleId };
}
/** The processor posts that money of a sale went back, or somebody who says that they are it. */
const post = (event: 'Refund' | 'Chargeback' | 'Void' | 'Return', saleId: string, amount: string) =>
  postEvent(app, event, reversalFields(app, saleId, amount));
const back = (type: Exported['type'], id: string, cents: number) =>
  processor.rows.push({ type, id, cents, at: app.clock.now() });
async function nextDay(): Promise<void> {
  app.clock.advance(DAY_MS);
  await reconcile(app.ctx, { dataLink });
}
const differences = async (state: 'open' | 'explained' | 'resolved' = 'open') => {
  const { rows } = await listDifferences(app.ctx.db, state, { limit: 50, skip: 0 });
  return rows.map(({ id, kind, key, theirs_cents: theirs, ours_cents: ours }) => ({ id, kind, key, theirs, ours }));
};
const kinds = async (state?: 'open' | 'resolved') => (await differences(state)).map(({ kind }) => kind).toSorted();
const runs = async () => {
  const { rows } = await app.ctx.db.pool.query<{ comparison: string; outcome: string; tries: number; detail: string }>(
    'select comparison, day::text, outcome, tries, detail from ledger_runs order by started_at, comparison',
  );
  return rows;
};
/** Runs a statement with every trigger off. */
async function behind(text: string, ...values: unknown[]): Promise<void> {
  await app.owner.transaction(async (tx) => {
    await tx.run({ name: 'test-behind', text: 'set local session_replication_role = replica' }, []);
    await tx.run({ name: '', text }, values);
  });
}

describe('books that agree', () => {
  test('are clean, whatever went back in which parts', async () => {
    const { saleId } = await paid();
    const { saleId: gone } = await paid();
    const { saleId: both } = await paid();
    await post('Refund', saleId, '10.00');
    back('REFUND', saleId, 1_000);
    app.clock.advance(HOUR_MS);
    await post('Chargeback', saleId, '41.02');
    back('CHARGEBACK', saleId, 4_102);
    await post('Void', gone, '51.02');
    back('VOID', gone, 5_102);
    // A void and a chargeback of one sale: only what was paid can be taken back.
    await post('Void', both, '51.02');
    back('VOID', both, 5_102);
    app.clock.advance(HOUR_MS);
    await post('Chargeback', both, '51.02');
    back('CHARGEBACK', both, 5_102);
    await nextDay();
    expect(await differences()).toEqual([]);
    expect(await runs()).toMatchObject([
      { comparison: 'orders', outcome: 'clean' },
      { comparison: 'processor', outcome: 'clean', detail: null },
    ]);
  });

  test('are clean with chargebacks that were won, or said to be by mistake, and after fees and settlements', async () => {
    for (const decisions of [['won'], ['won', 'notWon']] as const) {
      const { saleId } = await paid();
      app.clock.advance(HOUR_MS);
      await post('Chargeback', saleId, '51.02');
      back('CHARGEBACK', saleId, 5_102);
      const chargeback = (await storedEvents(app, saleId)).find(({ event_type: type }) => type === 'Chargeback');
      for (const decision of decisions)
        await decideEvent(app.ctx, null, chargeback?.id ?? '', { decision, ground: 'as the bank says' });
    }
    for (const [kind, to] of [
      ['settlement', 'asset:bank:operating'],
      ['processor_fee', 'exp:processor_fee'],
      ['chargeback_fee', 'exp:chargeback_fee'],
    ]) {
      const legs = [
        [to, 'asset:processor:ccbill:clearing'],
        [100, -100],
      ];
      await app.ctx.db.pool.query('select ledger_post($1, $2, $3::bigint[])', [kind, ...legs]);
    }
    await nextDay();
    expect(await differences()).toEqual([]);
  });

  test('are compared once a day, by one process, and asked for at a beat', async () => {
    await paid();
    await nextDay();
    expect(processor.asked).toEqual(['20260304']);
    await reconcile(app.ctx, { dataLink });
    expect(await runs()).toHaveLength(2);
    for (let day = 0; day < 8; day += 1) await nextDay();
    processor.asked = [];
    await nextDay();
    // Yesterday first, which was never asked for; then the newest; and what is older by the week.
    expect(processor.asked).toEqual([
      '20260313',
      '20260307',
      '20260308',
      '20260309',
      '20260310',
      '20260311',
      '20260312',
    ]);
    processor.asked = [];
    await nextDay();
    expect(processor.asked.length).toBeLessThanOrEqual(8);
    app.clock.advance(DAY_MS);
    await Promise.all([
      reconcile(app.ctx, { dataLink }),
      reconcile(app.ctx, { dataLink }),
      reconcile(app.ctx, { dataLink }),
    ]);
    expect((await runs()).filter(({ comparison }) => comparison === 'processor')).toHaveLength(12);
  });

  test('of 45 days ago are not asked for', async () => {
    await paid();
    app.clock.advance(60 * DAY_MS);
    await reconcile(app.ctx, { dataLink });
    expect(processor.asked).toHaveLength(45);
    // What is older than what was exported is not said to be unknown there.
    expect(await differences()).toEqual([]);
  });
});

describe('what the processor knows and we do not', () => {
  test('is found: a sale, a refund, a chargeback, another sum', async () => {
    const { saleId } = await paid();
    const { saleId: charged } = await paid();
    const { saleId: other } = await paid(false);
    const lost = processorId();
    processor.rows.push({ type: 'NEW', id: lost, cents: 700, at: app.clock.now() });
    processor.rows.push({ type: 'NEW', id: other, cents: 5_103, at: app.clock.now() });
    back('REFUND', saleId, 1_000);
    back('CHARGEBACK', charged, 5_102);
    await nextDay();
    expect(await differences()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'saleUnknownHere', key: lost, theirs: 700, ours: null }),
        expect.objectContaining({ kind: 'refundUnknownHere', key: saleId, theirs: 1_000, ours: 0 }),
        expect.objectContaining({ kind: 'chargebackUnknownHere', key: charged, theirs: 5_102, ours: 0 }),
        expect.objectContaining({ kind: 'saleDiffers', key: other, theirs: 5_103, ours: 5_102 }),
      ]),
    );
    expect(await differences()).toHaveLength(4);
  });

  test('is gone by itself once it is booked, and what could not be credited once it was given back', async () => {
    const { saleId } = await paid();
    const lost = processorId();
    processor.rows.push({ type: 'NEW', id: lost, cents: 700, at: app.clock.now() });
    back('REFUND', saleId, 1_000);
    await nextDay();
    const before = await differences();
    await nextDay();
    expect(await differences()).toEqual(before);
    await post('Refund', saleId, '10.00');
    back('REFUND', lost, 700);
    await nextDay();
    await nextDay();
    expect(await differences()).toEqual([]);
    expect(await kinds('resolved')).toEqual(['refundUnknownHere', 'saleUnknownHere']);
  });

  test('and that cannot be read is said', async () => {
    await paid();
    processor.garbage = '"NEW","900000"';
    await nextDay();
    expect(await kinds()).toEqual(['rowUnreadable']);
    processor.garbage = '';
    await nextDay();
    expect(await differences()).toEqual([]);
  });
});

describe('what we booked and the processor does not know', () => {
  test.each([
    ['Refund', 'refundUnknownThere'],
    ['Return', 'refundUnknownThere'],
    ['Chargeback', 'chargebackUnknownThere'],
  ] as const)('is found: a forged %s', async (event, kind) => {
    const { saleId } = await paid();
    await post(event, saleId, '20.00');
    expect((await storedEvents(app, saleId)).at(-1)?.state).toBe('processed');
    await nextDay();
    expect(await differences()).toMatchObject([{ kind, key: saleId, theirs: 0, ours: 2_000 }]);
  });

  test('is found: a forged chargeback of what is truly refunded', async () => {
    const { saleId } = await paid();
    await post('Chargeback', saleId, '51.02');
    back('REFUND', saleId, 5_102);
    await post('Refund', saleId, '51.02');
    await nextDay();
    expect(await differences()).toMatchObject([
      { kind: 'chargebackUnknownThere', key: saleId, theirs: 0, ours: 5_102 },
    ]);
  });

  test('is found: a second refund of a part, told with another time', async () => {
    const { saleId } = await paid();
    await post('Refund', saleId, '10.00');
    back('REFUND', saleId, 1_000);
    app.clock.advance(HOUR_MS);
    await post('Refund', saleId, '10.00');
    await nextDay();
    expect(await differences()).toMatchObject([{ kind: 'refundUnknownThere', theirs: 1_000, ours: 2_000 }]);
  });

  test('is found: a sale, also weeks later', async () => {
    await paid();
    await nextDay();
    for (let day = 0; day < 3; day += 1) await nextDay();
    const { saleId } = await paid(false);
    app.clock.advance(30 * DAY_MS);
    await reconcile(app.ctx, { dataLink });
    expect(await differences()).toMatchObject([{ kind: 'saleUnknownThere', key: saleId, theirs: null, ours: 5_102 }]);
    // Older than the window, it is still the same difference.
    app.clock.advance(60 * DAY_MS);
    await reconcile(app.ctx, { dataLink });
    expect(await kinds()).toEqual(['saleUnknownThere']);
  });

  test('is not said before the processor’s day is over', async () => {
    await paid();
    await nextDay();
    // In the night, before today’s rows are exported.
    const { saleId } = await paid(false);
    await post('Refund', saleId, '51.02');
    await reconcile(app.ctx, { dataLink, isAgain: true });
    expect(await differences()).toEqual([]);
  });
});

describe('the books with themselves', () => {
  const scenes: [
    DifferenceKind,
    (made: Awaited<ReturnType<typeof paid>>) => Promise<void>,
    ((made: Awaited<ReturnType<typeof paid>>) => Promise<void>)?,
  ][] = [
    [
      'orderWithoutTransaction',
      ({ deposit }) => behind('update deposits set transaction_id = uuidv7() where id = $1', deposit.id),
      ({ deposit }) =>
        behind('update deposits set transaction_id = $2 where id = $1', deposit.id, deposit.transaction_id),
    ],
    [
      'orderDiffers',
      ({ deposit }) => behind('update deposits set reversed_payable_cents = 1 where id = $1', deposit.id),
      ({ deposit }) => behind('update deposits set reversed_payable_cents = 0 where id = $1', deposit.id),
    ],
    [
      'transactionWithoutPost',
      ({ saleId }) =>
        behind(`update processor_events set state = 'ignored' where processor_transaction_id = $1`, saleId),
      ({ saleId }) =>
        behind(`update processor_events set state = 'processed' where processor_transaction_id = $1`, saleId),
    ],
    [
      'postWithoutTransaction',
      ({ saleId }) => behind(`update ledger_externals set ref = 'another' where ref = $1`, saleId),
      ({ saleId }) => behind(`update ledger_externals set ref = $1 where ref = 'another'`, saleId),
    ],
    ['transactionWithoutOrder', async () => void (await makeDeposit(app.ctx.db, fan.id, 700))],
    ['clearingDiffers', async () => void (await makeDeposit(app.ctx.db, fan.id, 700))],
  ];
  test.each(scenes)('%s is found, and gone when it is right again', async (kind, break_, mend) => {
    const made = await paid();
    await post('Refund', made.saleId, '10.00').then(() => back('REFUND', made.saleId, 1_000));
    await nextDay();
    expect(await differences()).toEqual([]);
    await break_(made);
    await nextDay();
    expect(await kinds()).toContain(kind);
    if (!mend) return;
    await mend(made);
    if (kind === 'orderDiffers')
      await behind('update deposits set reversed_payable_cents = 1000 where id = $1', made.deposit.id);
    await nextDay();
    expect(await differences()).toEqual([]);
  });

  test('are compared without the processor, and what was not done is said', async () => {
    await paid();
    await makeDeposit(app.ctx.db, fan.id, 700);
    const { config } = app.ctx;
    const ctx = {
      ...app.ctx,
      config: { ...config, payments: { ...config.payments, isSandbox: false, dataLink: undefined } },
    };
    await reconcile(ctx);
    await reconcile(ctx);
    expect(await kinds()).toEqual(['clearingDiffers', 'transactionWithoutOrder', 'transactionWithoutPost'].slice(0, 2));
    expect(await runs()).toMatchObject([
      { comparison: 'orders', outcome: 'different', tries: 1 },
      { comparison: 'processor', outcome: 'undone', tries: 1, detail: 'DataLink is not set up' },
    ]);
  });

  test('settled money is on its way no more', async () => {
    await paid();
    await app.ctx.db.pool.query(
      `select ledger_post('settlement', array['asset:bank:operating', 'asset:processor:ccbill:clearing'], array[5000, -5000]::bigint[])`,
    );
    await nextDay();
    await app.ctx.db.pool.query('select ledger_roll()');
    await nextDay();
    expect(await differences()).toEqual([]);
  });
});

describe('a processor that is away', () => {
  test('is asked again every hour, alarmed after days, and made up for', async () => {
    const { saleId } = await paid();
    await nextDay();
    processor.isAway = true;
    const said = vi.spyOn(app.ctx.log, 'error').mockImplementation(() => undefined);
    const alarms = () => said.mock.calls.filter(([, words]) => String(words).includes('not been compared')).length;
    await post('Refund', saleId, '20.00');
    await nextDay();
    app.clock.advance(HOUR_MS);
    await reconcile(app.ctx, { dataLink });
    expect((await runs()).at(-1)).toMatchObject({
      comparison: 'processor',
      outcome: 'undone',
      tries: 2,
      detail: expect.stringContaining('503'),
    });
    // Nothing is said of days that were not exported.
    expect(await differences()).toEqual([]);
    await nextDay();
    await nextDay();
    expect(alarms()).toBe(0);
    await nextDay();
    expect(alarms()).toBeGreaterThan(0);
    processor.isAway = false;
    processor.asked = [];
    await nextDay();
    expect(processor.asked.slice(0, 5)).toEqual(['20260305', '20260306', '20260307', '20260308', '20260309']);
    expect(await kinds()).toEqual(['refundUnknownThere']);
    said.mockClear();
    await nextDay();
    expect(alarms()).toBe(0);
  });
});
