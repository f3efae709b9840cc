import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { findLastRun, listDifferences } from '../../ledger/ledger-checks/index.ts';
import { checkLog } from './check.ts';
import { toCheckpointKey } from './log-paths.ts';
import { checkLogNightly } from './nightly-check.ts';
import { pruneCheckpoints, sequenceRows } from './sequencer.ts';
import { createFixture, listWrong, type TransparencyFixture, tamper, tipCreator } from './testing.ts';

const DAY_MS = 86_400_000;

let world: TransparencyFixture;
beforeEach(async () => {
  world = await createFixture();
});
afterEach(() => world.test.close());

const open = async () => (await listDifferences(world.test.ctx.db, 'open', { limit: 50, skip: 0 })).rows;
async function nextNight() {
  world.test.clock.advance(DAY_MS);
  return checkLogNightly(world.test.ctx);
}

it('the nightly check runs once a night, over everything first and then over what is new', async () => {
  const { ctx } = world.test;
  const sequenced = await sequenceRows(ctx);
  expect((await checkLogNightly(ctx))?.checks[0]?.count).toBe(sequenced);
  expect(await checkLogNightly(ctx)).toBeUndefined();
  await tipCreator(world.fan, world.creator, 3);
  await sequenceRows(ctx);
  expect((await nextNight())?.checks[0]?.count).toBe(1);
  expect(await findLastRun(ctx.db, 'log')).toMatchObject({ outcome: 'clean' });
});

it('a rewritten row stays an alarmed difference until a full check finds it restored', async () => {
  const { ctx } = world.test;
  await sequenceRows(ctx);
  await checkLogNightly(ctx);
  const logged = vi.spyOn(ctx.log, 'error').mockImplementation(() => undefined);
  const rewrite = (note: string) =>
    tamper(world.test, [`update sales set note = '${note}' where id = $1`], world.sales.firstTip);
  await rewrite('other');
  for (let night = 0; night < 7; night += 1) await nextNight();
  expect(await open()).toMatchObject([
    { comparison: 'log', kind: 'logWrong', key: expect.stringContaining('each leaf') },
  ]);
  expect(logged).toHaveBeenCalled();
  await nextNight();
  expect(await open()).toHaveLength(1);
  await rewrite('For the garden');
  await nextNight();
  expect(await open()).toEqual([]);
});

it('operators’ decisions have leaves, and rewriting one is detected', async () => {
  const { ctx } = world.test;
  await sequenceRows(ctx);
  const operator = await world.test.signUp('operator');
  const decided = { decision: 'block', reason: 'after a call' };
  await operator.inject('POST', `/api/admin/debtors/${world.fan.id}/decision`, decided);
  expect(await sequenceRows(ctx)).toBe(2);
  expect(listWrong(await checkLog(ctx))).toEqual({});
  await tamper(world.test, ['delete from audit_log']);
  expect(Object.values(listWrong(await checkLog(ctx))).flat()).toHaveLength(1);
  await tamper(world.test, [`update debt_decisions set reason = 'another'`]);
  expect(Object.keys(listWrong(await checkLog(ctx)))).toEqual(['each leaf of the log matches its row']);
  await tamper(world.test, ['delete from debt_decisions']);
  expect(listWrong(await checkLog(ctx))).not.toEqual({});
});

it('checkpoints older than a month are pruned to one a day in both stores, and no others can be deleted', async () => {
  const { ctx, clock } = world.test;
  const sizes = async () => {
    const { rows } = await ctx.db.pool.query<{ size: number }>(
      'select size from transparency_checkpoints order by size',
    );
    return rows.map(({ size }) => size);
  };
  const sign = async () => {
    await tipCreator(world.fan, world.creator, 1);
    await sequenceRows(ctx);
  };
  clock.set(new Date('2026-03-04T10:00:00.000Z'));
  for (const hours of [0, 1, 1, 24]) {
    clock.advance(hours * 3_600_000);
    await sign();
  }
  expect(await pruneCheckpoints(ctx)).toBe(0);
  const [first = 0, second = 0, ...remaining] = await sizes();
  clock.advance(40 * DAY_MS);
  await sign();
  await sign();
  const latest = (await sizes()).slice(-2);
  await expect(ctx.db.pool.query('delete from transparency_checkpoints')).rejects.toThrow('refused');
  expect(await pruneCheckpoints(ctx)).toBe(2);
  expect(await sizes()).toEqual([...remaining, ...latest]);
  for (const size of [first, second]) expect(await ctx.storage.open(toCheckpointKey(size))).toBeUndefined();
  expect(listWrong(await checkLog(ctx))).toEqual({});
});

it('a forged checkpoint cannot make older ones deletable', async () => {
  const { ctx, clock } = world.test;
  clock.set(new Date('2026-03-04T10:00:00.000Z'));
  for (const days of [0, 1, 1]) {
    clock.advance(days * DAY_MS);
    await tipCreator(world.fan, world.creator, 1);
    await sequenceRows(ctx);
  }
  const { rows } = await ctx.db.pool.query<{ size: number; day: string }>(
    "select size::int, to_char(made_at at time zone 'UTC', 'YYYY-MM-DD') as day from transparency_checkpoints order by size",
  );
  expect(rows).toHaveLength(3);
  const largest = Math.max(...rows.map(({ size }) => size));
  const forge = (size: number, at: string) =>
    ctx.db.pool.query(
      `insert into transparency_checkpoints (size, note, watermark, system_identifier, made_at) values ($1, 'forged', 1, 'x', $2)`,
      [size, at],
    );
  const before = rows[0]?.size ?? 0;
  await expect(forge(before, '2026-03-04T23:59:59Z')).rejects.toThrow('refused');
  await expect(forge(before + 1, '2026-03-04T23:59:59Z')).rejects.toThrow('refused');
  await forge(largest + 1, '2030-01-01T00:00:00Z');
  for (const [index, { day }] of rows.entries()) await forge(largest + 2 + index, `${day}T23:59:59Z`);
  for (const { size } of rows)
    await expect(ctx.db.pool.query('delete from transparency_checkpoints where size = $1', [size])).rejects.toThrow(
      'refused',
    );
});
