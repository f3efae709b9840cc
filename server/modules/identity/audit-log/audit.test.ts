import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { checkLedger } from '../../ledger/ledger-checks/index.ts';
import { logAction } from './index.ts';

let app: TestApp;
let operator: TestUser;
beforeAll(async () => {
  app = await createTestApp();
  operator = await app.signUp('operator');
});
afterAll(() => app.close());

const logTestAction = (action: string, subjectId: string = randomUUID(), fails = false) =>
  app.ctx.db.transaction(async (tx) => {
    const details = { reason: 'a Λάμδα "quoted"', cents: 12, isSo: true, none: null };
    await logAction(app.ctx, tx, { operatorId: operator.id, action, subjectKind: 'thing', subjectId, details });
    if (fails) throw new Error('not after all');
  });
const read = async (query = '') => (await operator.inject('GET', `/api/admin/audit${query}`)).json();
async function listAuditProblems(): Promise<string[]> {
  const { checks } = await checkLedger(app.ctx.db);
  return checks.flatMap(({ name, wrong: examples }) => (name.includes('audit log') ? examples : []));
}

test('concurrent entries are numbered without a gap', async () => {
  await Promise.all(Array.from({ length: 8 }, (_, index) => logTestAction(`thing.act${index % 2}`)));
  await expect(logTestAction('thing.act0', randomUUID(), true)).rejects.toThrow('not after all');
  const { data, totalCount, nextOffset } = await read('?limit=5');
  expect(data.map(({ position }: { position: number }) => position)).toEqual([8, 7, 6, 5, 4]);
  expect([totalCount, nextOffset]).toEqual([8, '5']);
  expect(data[0]).toMatchObject({
    operator: { id: operator.id, username: operator.username },
    details: { reason: 'a Λάμδα "quoted"', cents: 12, isSo: true, none: null },
  });
  expect(await listAuditProblems()).toEqual([]);
});

test('entries are found by action, subject, operator and day, and by operators only', async () => {
  const subjectId = randomUUID();
  app.clock.advance(24 * 60 * 60_000);
  await logTestAction('lamp.lit', subjectId);
  const today = app.clock.now().toISOString().slice(0, 10);
  for (const [query, count] of [
    [`?subjectKind=thing&subjectId=${subjectId}`, 1],
    ['?action=lamp', 1],
    ['?action=lamp.lit', 1],
    ['?action=lam', 0],
    ['?action=%25', 0],
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
  for (const sql of ["update audit_log set action = 'x'", 'delete from audit_log', 'truncate audit_log'])
    await expect(app.owner.pool.query(sql)).rejects.toThrow('it only grows');
  await expect(app.ctx.db.pool.query("update audit_log set action = 'x'")).rejects.toThrow('permission denied');
  const findAfterForgery = async (sql: string) => {
    const { rows } = await app.owner.pool.query('select * from audit_log order by position');
    await app.owner.pool.query(`alter table audit_log disable trigger user; ${sql}`);
    const problems = await listAuditProblems();
    await app.owner.pool.query('delete from audit_log');
    for (const row of rows) {
      const names = Object.keys(row);
      const placeholders = names.map((_, index) => `$${index + 1}`).join(', ');
      await app.owner.pool.query(
        `insert into audit_log (${names.join(', ')}) values (${placeholders})`,
        Object.values(row),
      );
    }
    await app.owner.pool.query('alter table audit_log enable trigger user');
    return problems;
  };
  for (const field of [
    "action = 'x'",
    "details = '{}'",
    'operator_id = null',
    "at = at + interval '1 ms'",
    "subject_id = ''",
  ])
    expect([field, await findAfterForgery(`update audit_log set ${field} where position = 3`)]).toEqual([field, ['3']]);
  expect(await findAfterForgery('delete from audit_log where position = 3')).toEqual(['4']);
  // Even with its hash recalculated, the next entry no longer matches.
  expect(
    await findAfterForgery(
      "update audit_log set action = 'x' where position = 3; update audit_log l set hash = audit_hash(l) where position = 3",
    ),
  ).toEqual(['4']);
  expect(await listAuditProblems()).toEqual([]);
});

test('the chain check reports the first broken entry, and the file export escapes formulas and is logged', async () => {
  const checkChain = async () => (await operator.inject('GET', '/api/admin/audit/chain')).json();
  const { data } = await read('?limit=1');
  expect(await checkChain()).toMatchObject({ count: data[0].position, brokenAt: null, head: data[0].hash });
  await logTestAction('=lamp.lit', '@sum');
  const filters = (await operator.inject('GET', '/api/admin/audit/filters')).json();
  expect(filters).toMatchObject({ actions: expect.arrayContaining(['lamp.lit']), operators: [{ id: operator.id }] });
  const file = await operator.inject('GET', '/api/admin/audit/file?subjectKind=thing');
  expect(file.body.split('\r\n').filter(Boolean)).toHaveLength(11);
  expect(file.body).toContain(`'=lamp.lit,thing,'@sum,"{""isSo"":true`);
  expect((await read('?action=audit')).data).toMatchObject([
    { action: 'audit.file', details: { subjectKind: 'thing' } },
  ]);
  expect((await operator.inject('GET', '/api/admin/audit/file?from=2026-02-01&to=2026-01-01')).statusCode).toBe(400);
  await app.owner.pool.query(
    "alter table audit_log disable trigger user; update audit_log set action = 'x' where position = 5; alter table audit_log enable trigger user",
  );
  expect(await checkChain()).toMatchObject({ brokenAt: 5 });
});
