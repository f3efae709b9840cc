/** Tampering that a database superuser could do so that all sums still fit. The log must detect it. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { snapshotLedger } from '../../../testing/ledger-snapshot.ts';
import { creditDeposit } from '../../ledger/ledger/index.ts';
import { RECALCULATE_LINE_TIMES } from '../../ledger/ledger/testing.ts';
import { checkLedger } from '../../ledger/ledger-checks/index.ts';
import { checkLog } from './check.ts';
import { sequenceRows } from './sequencer.ts';
import { createFixture, listWrong, type TransparencyFixture, tamper } from './testing.ts';

const LEAVES = 'each leaf of the log matches its row';
const SEQUENCED = 'each row older than the last checkpoint is in the log';
const CHECKPOINTS = 'each signed checkpoint has our signature and is the root of its leaves';
const ORDERS = 'each deposit in the journal has its paid order';
const KINDS = 'each transaction kind is known to the contract';

let world: TransparencyFixture;
let restore: () => Promise<void>;

beforeAll(async () => {
  world = await createFixture();
  await sequenceRows(world.test.ctx);
  expect(listWrong(await checkLog(world.test.ctx))).toEqual({});
  restore = await snapshotLedger(world.test);
});
afterEach(() => restore());
afterAll(async () => {
  expect(listWrong(await checkLog(world.test.ctx))).toEqual({});
  await world.test.close();
});

async function findWrong(): Promise<string[]> {
  await tamper(world.test, [RECALCULATE_LINE_TIMES]);
  expect(listWrong(await checkLedger(world.test.ctx.db))).toEqual({});
  return Object.keys(listWrong(await checkLog(world.test.ctx)));
}

const withoutSale = [
  'delete from sales where id = $1',
  'update ledger_accounts a set lines = a.lines - 1, balance_cents = a.balance_cents - l.amount_cents from ledger_lines l where l.account_id = a.id and l.transaction_id = $1',
  'delete from ledger_lines where transaction_id = $1',
  'delete from ledger_inflows where transaction_id = $1',
  'delete from ledger_transactions where id = $1',
];

describe('tampering with the journal', () => {
  it('is detected when a fan’s last sale is deleted with all its rows', async () => {
    await tamper(world.test, withoutSale, world.sales.lastTip);
    expect(await findWrong()).toEqual([LEAVES]);
  });

  it('is detected by the checkpoints when a sale is deleted with its leaf and the tree rebuilt', async () => {
    await tamper(world.test, withoutSale, world.sales.lastTip);
    await tamper(world.test, ['delete from transparency_leaves where row_id = $1'], world.sales.lastTip);
    expect(await findWrong()).toEqual([CHECKPOINTS]);
    await tamper(world.test, ['delete from transparency_checkpoints', 'delete from transparency_tiles']);
    expect(await findWrong()).toEqual([CHECKPOINTS]);
    await expect(sequenceRows(world.test.ctx)).rejects.toThrow('does not continue');
  });

  it.each([
    ['its time', `occurred_at = occurred_at - interval '1 day'`],
    ['its time by a millisecond', `occurred_at = occurred_at + interval '1 millisecond'`],
    ['who did it', 'actor_id = gen_random_uuid()'],
    ['its operation', 'operation_id = gen_random_uuid()'],
    ['its request', `request_hash = sha256('other')`],
    ['its metadata', `metadata = '{"note": "other"}'`],
  ])('is detected when a transaction is rewritten: %s', async (_, change) => {
    await tamper(world.test, [`update ledger_transactions set ${change} where id = $1`], world.sales.firstTip);
    expect(await findWrong()).toEqual([LEAVES]);
  });

  it('is detected when the order of a statement is changed', async () => {
    const { firstTip, lastTip } = world.sales;
    const [from, to] = [firstTip, lastTip].map(
      (id) => `(select line from ledger_lines where transaction_id = '${id}')`,
    );
    await tamper(world.test, [
      `update ledger_lines l set line = case transaction_id when '${firstTip}' then -${to} else -${from} end where transaction_id in ('${firstTip}', '${lastTip}')`,
      'update ledger_lines set line = -line where line < 0',
      `update ledger_lines l set balance_cents = (select sum(o.amount_cents) from ledger_lines o where o.account_id = l.account_id and o.line <= l.line)`,
    ]);
    expect(await findWrong()).toEqual([LEAVES]);
  });

  it('is detected when a backdated row is inserted', async () => {
    await tamper(world.test, [
      `with t as (insert into ledger_transactions (id, occurred_at, kind, account_ids, amounts, xid)
          select uuidv7(interval '-3 days'), occurred_at - interval '3 days', kind, account_ids, amounts, 10 from ledger_transactions where kind = 'deposit' returning *),
        line as (update ledger_accounts a set lines = lines + 1, balance_cents = balance_cents + 10000 where code like '%:wallet' returning *),
        placed as (insert into ledger_lines (account_id, line, transaction_id, amount_cents, balance_cents, kind)
          select a.id, a.lines, t.id, 10000, a.balance_cents, 'deposit' from t, line a),
        taken as (insert into ledger_inflows (account_id, amount_cents, day, items, tag)
          select a.id, amount * case when a.kind in ('liability', 'revenue') then -1 else 1 end, current_date, 0, 'deposit'
          from t, unnest(t.account_ids, t.amounts::bigint[]) as leg (account, amount) join ledger_accounts a on a.id = account and not a.spendable)
        select 1`,
    ]);
    expect(await findWrong()).toEqual([SEQUENCED, ORDERS]);
  });

  it('is detected when the clearing date of a sale is moved', async () => {
    const { lastTip } = world.sales;
    await tamper(
      world.test,
      [
        `update sales set clears_at = clears_at - interval '7 days' where id = $1`,
        `update ledger_inflows set due_at = due_at - interval '7 days' where transaction_id = $1`,
      ],
      lastTip,
    );
    expect(await findWrong()).toEqual([LEAVES]);
  });

  it('is detected when the references to outside payments are deleted', async () => {
    await tamper(world.test, ['delete from ledger_external_refs']);
    expect(await findWrong()).toEqual([LEAVES, ORDERS]);
  });

  it('is detected when a sale’s note or a wallet’s owner is changed', async () => {
    await tamper(world.test, [`update sales set note = 'For the house' where id = $1`], world.sales.firstTip);
    expect(await findWrong()).toEqual([LEAVES]);
    await tamper(world.test, [`update sales set note = 'For the garden' where id = $1`], world.sales.firstTip);
    expect(await findWrong()).toEqual([]);
    await tamper(world.test, [`update ledger_accounts set owner_id = gen_random_uuid() where code like '%:wallet'`]);
    expect(await findWrong()).toEqual([LEAVES]);
  });
});

describe('tampering with orders and processor events', () => {
  it('is detected when all paid orders are deleted', async () => {
    await tamper(world.test, [`delete from deposits where status = 'success'`]);
    expect(await findWrong()).toEqual([LEAVES, ORDERS]);
  });

  it('is detected when orders are rewritten', async () => {
    await tamper(world.test, [`update deposits set order_id = 'another order'`]);
    expect(await findWrong()).toEqual([LEAVES]);
  });

  it('is detected when processor events are deleted', async () => {
    await tamper(world.test, ['delete from processor_webhooks']);
    expect(await findWrong()).toEqual([LEAVES]);
  });

  it('is detected when a field of a processor event is rewritten', async () => {
    await tamper(world.test, [`update processor_webhooks set fields = fields || '{"last4": "0000"}'`]);
    expect(await findWrong()).toEqual([LEAVES]);
  });

  it('is detected when a deposit has no order', async () => {
    const { ctx } = world.test;
    const invented = { amountCents: 5_000, feeCents: 0, provider: 'ccbill', ref: '1', eventKey: 'invented' };
    await ctx.db.transaction((tx) => creditDeposit(tx, { fanId: world.fan.id, ...invented }));
    expect(await findWrong()).toEqual([ORDERS]);
    await sequenceRows(ctx);
    expect(await findWrong()).toEqual([ORDERS]);
  });
});

describe('tampering with kinds of money', () => {
  it('is detected when a new kind moves revenue into a wallet', async () => {
    const { ctx } = world.test;
    await tamper(world.test, [
      `insert into ledger_kinds (kind, title, statement_type, debits, credits) values ('bonus', 'Bonus', 'other', '{rev:%}', '{liab:fan:%:wallet}')`,
    ]);
    await ctx.db.pool.query(
      `select ledger_post('bonus', array['rev:deposit_fee', 'liab:fan:${world.fan.id}:wallet'], array[100, -100]::bigint[])`,
    );
    expect(await findWrong()).toEqual([KINDS]);
    await sequenceRows(ctx);
    expect(await findWrong()).toEqual([KINDS]);
  });

  it('is detected when a kind may move more than before', async () => {
    await tamper(world.test, [`update ledger_kinds set debits = debits || '{rev:%}'::text[] where kind = 'deposit'`]);
    expect(await findWrong()).toEqual([LEAVES]);
  });

  it('is refused by the database, except for titles', async () => {
    const { pool } = world.test.owner;
    await expect(pool.query(`update ledger_kinds set credits = '{%}'`)).rejects.toThrow('refused');
    await pool.query('update ledger_kinds set title = title');
  });
});

describe('tampering with purchases', () => {
  it.each(['post_purchases', 'chat_purchases'])('is detected when a table is emptied: %s', async (table) => {
    await tamper(world.test, [`delete from ${table}`]);
    expect(await findWrong()).toEqual([LEAVES]);
  });

  it.each(['post_purchases', 'chat_purchases'])('is detected when prices are changed: %s', async (table) => {
    await tamper(world.test, [`update ${table} set price_cents = price_cents + 100`]);
    expect(await findWrong()).toEqual([LEAVES]);
  });

  it('is not reported for hidden or partly refunded purchases', async () => {
    await tamper(world.test, ['update post_purchases set hidden_at = now(), net_cents = net_cents - 1']);
    expect(await findWrong()).toEqual([]);
  });
});

describe('tampering with the log itself', () => {
  it('is detected when two leaves are exchanged', async () => {
    await tamper(world.test, [
      'update transparency_leaves set position = -1 where position = 3',
      'update transparency_leaves set position = 3 where position = 4',
      'update transparency_leaves set position = 4 where position = -1',
    ]);
    expect(await findWrong()).toEqual([CHECKPOINTS]);
  });

  it('is detected when a leaf is deleted in the middle or at the end', async () => {
    await tamper(world.test, [
      'delete from transparency_leaves where position = (select max(position) from transparency_leaves)',
    ]);
    expect(await findWrong()).toContain(CHECKPOINTS);
    await tamper(world.test, ['delete from transparency_leaves where position = 3']);
    expect(await findWrong()).toContain(CHECKPOINTS);
  });

  it('is detected when a tile is changed', async () => {
    await tamper(world.test, [
      'update transparency_tiles set hashes = set_byte(hashes, 39, 255 - get_byte(hashes, 39))',
    ]);
    expect(await findWrong()).toEqual([CHECKPOINTS]);
  });

  it('is detected when a checkpoint in the storage or the database is rewritten or missing', async () => {
    const { ctx } = world.test;
    const { rows } = await ctx.db.pool.query<{ note: string; size: number }>(
      'select note, size from transparency_checkpoints',
    );
    const [{ note, size } = { note: '', size: 0 }] = rows;
    const key = `ledger/checkpoints/${String(size).padStart(15, '0')}`;
    await ctx.storage.put(
      key,
      Buffer.from(note.replace(/\n[^\n]{43}=\n/, `\n${Buffer.alloc(32).toString('base64')}\n`)),
      'text/plain',
    );
    expect(await findWrong()).toEqual([CHECKPOINTS]);
    await ctx.storage.remove(key);
    expect(await findWrong()).toEqual([CHECKPOINTS]);
    await ctx.storage.put(key, Buffer.from(note), 'text/plain');
    expect(await findWrong()).toEqual([]);
    await tamper(world.test, [`update transparency_checkpoints set note = 'none'`]);
    expect(await findWrong()).toEqual([CHECKPOINTS]);
  });
});
