import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../testing/app.ts';
import { checkLedger } from '../ledger/index.ts';
import { noteAct } from './index.ts';

let app: TestApp;
let operator: TestUser;
beforeAll(async () => {
  app = await createTestApp();
  operator = await app.signUp('operator');
});
afterAll(() => app.close());

const note = (act: string, subjectId: string = randomUUID(), fails = false) =>
  app.ctx.db.transaction(async (tx) => {
    const facts = { ground: 'a Λάμδα "quoted"', cents: 12, isSo: true, none: null };
    await noteAct(app.ctx, tx, { operatorId: operator.id, act, subjectKind: 'thing', subjectId, facts });
    if (fails) throw new Error('not after all');
  });
const read = async (query = '') => (await operator.inject('GET', `/api/admin/audit${query}`)).json();
async function wrong(): Promise<string[]> {
  const { checks } = await checkLedger(app.ctx.db);
  return checks.flatMap(({ name, wrong: examples }) => (name.includes('audit log') ? examples : []));
}

test('concurrent entries are numbered without a gap', async () => {
  await Promise.all(Array.from({ length: 8 }, (_, index) => note(`thing.act${index % 2}`)));
  await expect(note('thing.act0', randomUUID(), true)).rejects.toThrow('not after all');
  const { data, totalCount, nextOffset } = await read('?limit=5');
  expect(data.map(({ place }: { place: number }) => place)).toEqual([8, 7, 6, 5, 4]);
  expect([totalCount, nextOffset]).toEqual([8, '5']);
  expect(data[0]).toMatchObject({
    operator: { id: operator.id, username: operator.username },
    facts: { ground: 'a Λάμδα "quoted"', cents: 12, isSo: true, none: null },
  });
  expect(await wrong()).toEqual([]);
});

test('entries are found by action, subject, operator and day, and by operators only', async () => {
  const subjectId = randomUUID();
  app.clock.advance(24 * 60 * 60_000);
  await note('lamp.lit', subjectId);
  const today = app.clock.now().toISOString().slice(0, 10);
  for (const [query, count] of [
    [`?subjectKind=thing&subjectId=${subjectId}`, 1],
    ['?act=lamp', 1],
    ['?act=lamp.lit', 1],
    ['?act=lam', 0],
    ['?act=%25', 0],
    [`?from=${today}&to=${today}`, 1],
    [`?to=${today}&operatorId=${operator.id}`, 9],
    [`?operatorId=${randomUUID()}`, 0],
  ] as const)
    expect([query, (await read(query)).totalCount]).toEqual([query, count]);
  expect((await operator.inject('GET', '/api/admin/audit?from=2026-02-01&to=2026-01-01')).statusCode).toBe(400);
  const creator = await app.signUp('creator');
  expect((await creator.inject('GET', '/api/admin/audit')).statusCode).toBe(403);
});

test('entries cannot be edited, and an edit that bypasses the protection is detected', async () => {
  for (const sql of ["update audit_log set act = 'x'", 'delete from audit_log', 'truncate audit_log'])
    await expect(app.owner.pool.query(sql)).rejects.toThrow('it only grows');
  await expect(app.ctx.db.pool.query("update audit_log set act = 'x'")).rejects.toThrow('permission denied');
  const forged = async (sql: string) => {
    const { rows } = await app.owner.pool.query('select * from audit_log order by place');
    await app.owner.pool.query(`alter table audit_log disable trigger user; ${sql}`);
    const found = await wrong();
    await app.owner.pool.query('delete from audit_log');
    for (const row of rows) {
      const names = Object.keys(row);
      const marks = names.map((_, index) => `$${index + 1}`).join(', ');
      await app.owner.pool.query(`insert into audit_log (${names.join(', ')}) values (${marks})`, Object.values(row));
    }
    await app.owner.pool.query('alter table audit_log enable trigger user');
    return found;
  };
  for (const field of [
    "act = 'x'",
    "facts = '{}'",
    'operator_id = null',
    "at = at + interval '1 ms'",
    "subject_id = ''",
  ])
    expect([field, await forged(`update audit_log set ${field} where place = 3`)]).toEqual([field, ['3']]);
  expect(await forged('delete from audit_log where place = 3')).toEqual(['4']);
  // Even with its hash recalculated, the next entry no longer matches.
  expect(
    await forged(
      "update audit_log set act = 'x' where place = 3; update audit_log l set hash = audit_hash(l) where place = 3",
    ),
  ).toEqual(['4']);
  expect(await wrong()).toEqual([]);
});

test('the chain check reports the first broken entry, and the file export escapes formulas and is logged', async () => {
  const chain = async () => (await operator.inject('GET', '/api/admin/audit/chain')).json();
  const { data } = await read('?limit=1');
  expect(await chain()).toMatchObject({ count: data[0].place, brokenAt: null, head: data[0].hash });
  await note('=lamp.lit', '@sum');
  const words = (await operator.inject('GET', '/api/admin/audit/words')).json();
  expect(words).toMatchObject({ acts: expect.arrayContaining(['lamp.lit']), operators: [{ id: operator.id }] });
  const file = await operator.inject('GET', '/api/admin/audit/file?subjectKind=thing');
  expect(file.body.split('\r\n').filter(Boolean)).toHaveLength(11);
  expect(file.body).toContain(`'=lamp.lit,thing,'@sum,"{""isSo"":true`);
  expect((await read('?act=audit')).data).toMatchObject([{ act: 'audit.file', facts: { subjectKind: 'thing' } }]);
  expect((await operator.inject('GET', '/api/admin/audit/file?from=2026-02-01&to=2026-01-01')).statusCode).toBe(400);
  await app.owner.pool.query(
    "alter table audit_log disable trigger user; update audit_log set act = 'x' where place = 5; alter table audit_log enable trigger user",
  );
  expect(await chain()).toMatchObject({ brokenAt: 5 });
});
