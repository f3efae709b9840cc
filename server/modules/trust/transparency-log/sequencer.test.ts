import { MONEY_KINDS } from '@stagedoor/contract/commerce/money-kinds.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { snapshotLedger } from '../../../testing/ledger-snapshot.ts';
import { checkLog, markVerified } from './check.ts';
import { NEWEST_CHECKPOINT, readText } from './log-paths.ts';
import { buildConsistencyProof, calculateRoot, isConsistent } from './merkle.ts';
import { countLateRows, sequenceRows } from './sequencer.ts';
import { openCheckpoint, parseVkey, readCheckpoint } from './signed-note.ts';
import { createTileReader } from './store.ts';
import { createFixture, listWrong, type TransparencyFixture, tamper, tipCreator } from './testing.ts';
import { createHashReader } from './tiles.ts';

const PREFIX = '/.well-known/stagedoor-ledger';
const MINUTES = 60_000;

let world: TransparencyFixture;
let restore: () => Promise<void>;
beforeAll(async () => {
  world = await createFixture();
  restore = await snapshotLedger(world.test);
});
afterEach(() => restore());
afterAll(() => world.test.close());

async function listLeaves(): Promise<{ type: string; position: number }[]> {
  const { rows } = await world.test.ctx.db.pool.query(
    'select type, position from transparency_leaves order by position',
  );
  return rows;
}
const newest = async () => (await world.test.inject('GET', `${PREFIX}/checkpoint`)).body;
const expectClean = async () => expect(listWrong(await checkLog(world.test.ctx))).toEqual({});

describe('every row', () => {
  it('gets one position: kinds, transactions, orders and processor events', async () => {
    const sequenced = await sequenceRows(world.test.ctx);
    const all = await listLeaves();
    expect(all.map(({ position }) => position)).toEqual(all.map((_, at) => at));
    expect(all).toHaveLength(sequenced);
    const count = (countedType: string) => all.filter(({ type }) => type === countedType).length;
    expect([count('kind'), count('transaction'), count('order'), count('event')]).toEqual([
      Object.keys(MONEY_KINDS).length,
      5,
      1,
      1,
    ]);
    expect(await sequenceRows(world.test.ctx)).toBe(0);
    expect(await sequenceRows(world.test.ctx, true)).toBe(0);
    await expectClean();
  });

  it('gets one position when several sequencers run at the same moment', async () => {
    const { ctx } = world.test;
    const sequenced = await Promise.all([sequenceRows(ctx), sequenceRows(ctx), sequenceRows(ctx)]);
    expect(sequenced.filter((count) => count > 0)).toHaveLength(1);
    await expectClean();
  });

  it('gets its position when it is committed, even while older transactions are still open', async () => {
    const { ctx } = world.test;
    await sequenceRows(ctx);
    const [slow, slower] = [await ctx.db.pool.connect(), await ctx.db.pool.connect()];
    const charge = `select ledger_post('deposit', array['asset:processor:ccbill:clearing', 'liab:fan:' || $1 || ':wallet'], array[500, -500]::bigint[])`;
    try {
      await slow.query('begin');
      await slow.query('select pg_current_xact_id()');
      await slower.query('begin');
      await slower.query(charge, [(await world.test.signUp('customer')).id]);
      await tipCreator(world.fan, world.creator, 3);
      expect(await sequenceRows(ctx)).toBe(1);
      await slower.query('commit');
      expect(await sequenceRows(ctx)).toBe(1);
      await slow.query(charge, [(await world.test.signUp('customer')).id]);
      expect(await sequenceRows(ctx)).toBe(0);
      await slow.query('commit');
      expect(await sequenceRows(ctx)).toBe(1);
    } finally {
      slow.release();
      slower.release();
    }
    expect(Object.keys(listWrong(await checkLog(ctx)))).toEqual(['each deposit in the journal has its paid order']);
  });

  it('gets its position after a move to another cluster with lower or foreign transaction numbers', async () => {
    const { test } = world;
    await tamper(test, ['update ledger_transactions set xid = xid + 1000000']);
    await sequenceRows(test.ctx);
    await tamper(test, [`update transparency_checkpoints set system_identifier = 'another', watermark = 900000`]);
    await tipCreator(world.fan, world.creator, 3);
    expect(await sequenceRows(test.ctx)).toBe(1);
    await tipCreator(world.fan, world.creator, 4);
    expect(await sequenceRows(test.ctx)).toBe(1);
  });

  it('is reported when it has waited for minutes', async () => {
    const { ctx, clock, inject } = world.test;
    await sequenceRows(ctx);
    await tipCreator(world.fan, world.creator, 3);
    expect(await countLateRows(ctx)).toBe(0);
    clock.advance(6 * MINUTES);
    expect(await countLateRows(ctx)).toBe(1);
    expect((await inject('GET', '/metrics')).body).toContain('stagedoor_transparency_unsequenced 1');
    await sequenceRows(ctx);
    expect(await countLateRows(ctx)).toBe(0);
  });
});

describe('checkpoints', () => {
  it('end with the newest one stored as newest when two processes store them at the same time', async () => {
    const { ctx } = world.test;
    const other = async () => {
      await tipCreator(world.fan, world.creator, 3);
      await sequenceRows(ctx);
    };
    // The other process runs just before this one stores the newest checkpoint.
    let isFirst = true;
    const storage = Object.create(ctx.storage, {
      put: {
        value: async (...args: Parameters<typeof ctx.storage.put>) => {
          if (args[0] === NEWEST_CHECKPOINT && isFirst) {
            isFirst = false;
            await other();
          }
          return ctx.storage.put(...args);
        },
      },
    });
    await sequenceRows({ ...ctx, storage });
    await sequenceRows(ctx);
    const [last] = (await listLeaves()).slice(-1);
    expect(readCheckpoint((await readText(ctx.storage, NEWEST_CHECKPOINT)) ?? '').size).toBe((last?.position ?? 0) + 1);
    await expectClean();
  });

  it('are public, signed with the published key, and continue each other', async () => {
    const { ctx, inject } = world.test;
    expect((await inject('GET', `${PREFIX}/checkpoint`)).statusCode).toBe(404);
    await sequenceRows(ctx);
    const verifier = parseVkey((await inject('GET', `${PREFIX}/key`)).body);
    const before = openCheckpoint(await newest(), [verifier]);
    expect(before.origin).toBe('localhost:3000/ledger');
    await tipCreator(world.fan, world.creator, 3);
    await sequenceRows(ctx);
    const response = await inject('GET', `${PREFIX}/checkpoint`);
    expect(response.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
    });
    const after = openCheckpoint(response.body, [verifier]);
    expect(after.size).toBe(before.size + 1);
    const proof = await buildConsistencyProof(before.size, after.size, createHashReader(createTileReader(ctx.db)));
    expect(isConsistent(before, after, proof)).toBe(true);
  });

  it('can be computed from the public tiles alone', async () => {
    const { ctx, inject } = world.test;
    await sequenceRows(ctx);
    const { size, root } = readCheckpoint(await newest());
    const partial = await inject('GET', `${PREFIX}/tile/0/000.p/${size}`);
    expect(partial.headers).toMatchObject({ 'cache-control': 'public, max-age=31536000, immutable' });
    expect(
      await calculateRoot(
        size,
        createHashReader(() => partial.rawPayload),
      ),
    ).toEqual(root);
    for (const path of [
      'tile/0/000',
      `tile/0/000.p/${size + 1}`,
      'tile/0/001.p/1',
      'tile/1/000.p/1',
      'tile/0/x',
      'tile/0/000.p/0',
    ])
      expect((await inject('GET', `${PREFIX}/${path}`)).statusCode, path).toBe(404);
  });

  it('are in the object storage, too, also those that failed to be stored at first', async () => {
    const { ctx } = world.test;
    const put = ctx.storage.put;
    ctx.storage.put = () => Promise.reject(new Error('the store is away'));
    await expect(sequenceRows(ctx)).rejects.toThrow('the store is away');
    ctx.storage.put = put;
    await expectClean();
    await sequenceRows(ctx);
    const { size } = readCheckpoint(await newest());
    expect(await ctx.storage.open(`ledger/checkpoints/${String(size).padStart(15, '0')}`)).toBeDefined();
    await expectClean();
  });

  it('are not signed for a log that was cut back', async () => {
    const { ctx } = world.test;
    await sequenceRows(ctx);
    await tipCreator(world.fan, world.creator, 3);
    await sequenceRows(ctx);
    await tamper(world.test, [
      'delete from transparency_leaves where position = (select max(position) from transparency_leaves)',
      'delete from transparency_checkpoints where size = (select max(size) from transparency_checkpoints)',
    ]);
    const before = await newest();
    await expect(sequenceRows(ctx)).rejects.toThrow('does not continue the checkpoint');
    expect(await newest()).toBe(before);
  });
});

describe('a tree that differs from what was signed', () => {
  it('is not signed, even when the object storage has no checkpoint', async () => {
    const { ctx } = world.test;
    await sequenceRows(ctx);
    await ctx.storage.removeAll('ledger');
    await tamper(world.test, [
      'update transparency_tiles set hashes = set_byte(hashes, 39, 255 - get_byte(hashes, 39))',
    ]);
    await tipCreator(world.fan, world.creator, 3);
    await expect(sequenceRows(ctx)).rejects.toThrow('in the database');
  });
});

describe('a former signing key', () => {
  it('is accepted for its signatures only while it is listed as a former key', async () => {
    const { ctx } = world.test;
    await sequenceRows(ctx);
    const former = (await world.test.inject('GET', `${PREFIX}/key`)).body.trim();
    const config = { ...ctx.config, ledgerLogSigningKey: '0f'.repeat(32) };
    await tipCreator(world.fan, world.creator, 3);
    await sequenceRows({ ...ctx, config });
    expect((await checkLog({ ...ctx, config })).isClean).toBe(false);
    expect(listWrong(await checkLog({ ...ctx, config: { ...config, ledgerLogPreviousKeys: [former] } }))).toEqual({});
  });
});

describe('checking the log', () => {
  it('from the last checkpoint covers what is new and detects what was rewritten there', async () => {
    const { ctx } = world.test;
    await sequenceRows(ctx);
    const first = await checkLog(ctx, { isFromCheckpoint: true });
    await markVerified(ctx, first.size);
    const tip = await tipCreator(world.fan, world.creator, 3);
    await sequenceRows(ctx);
    const second = await checkLog(ctx, { isFromCheckpoint: true });
    expect(second.isClean).toBe(true);
    expect(second.checks[0]?.count).toBe(1);
    expect(first.checks[0]?.count).toBe(first.size);
    await tamper(world.test, [`update sales set note = 'other' where id = $1`], tip);
    expect((await checkLog(ctx, { isFromCheckpoint: true })).isClean).toBe(false);
  });

  it('finds nothing wrong while the log grows', async () => {
    const { ctx } = world.test;
    await sequenceRows(ctx);
    const grow = async () => {
      await tipCreator(world.fan, world.creator, 3);
      await sequenceRows(ctx);
    };
    const { storage } = ctx;
    const growing = {
      ...storage,
      list: async function* (prefix: string) {
        await grow();
        yield* storage.list(prefix);
        await grow();
      },
    };
    expect(listWrong(await checkLog({ ...ctx, storage: growing }))).toEqual({});
  });

  it('with a checkpoint stored outside detects a log that was rebuilt', async () => {
    const { ctx } = world.test;
    await sequenceRows(ctx);
    const newestNote = await newest();
    expect((await checkLog(ctx, { note: newestNote })).isClean).toBe(true);
    await tamper(world.test, [
      'delete from transparency_leaves',
      'delete from transparency_tiles',
      'delete from transparency_checkpoints',
    ]);
    await ctx.storage.removeAll('ledger');
    await sequenceRows(ctx);
    await expectClean();
    expect(Object.values(listWrong(await checkLog(ctx, { note: newestNote })))).toEqual([
      [expect.stringContaining('in your file: has another root')],
    ]);
  });
});
