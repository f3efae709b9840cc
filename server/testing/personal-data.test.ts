/** Checks what manifests declare about personal data. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eraseUser } from '../modules/identity/account-deletion/testing.ts';
import { listExportParts } from '../modules/identity/data-export/testing.ts';
import { OWNED_SCHEMAS } from '../modules/index.ts';
import { ACCOUNT_COLUMNS, OPERATOR_COLUMNS, type PersonalData } from '../platform/personal-data.ts';
import { createTestApp, type TestApp, type TestUser } from './app.ts';

const DECLARED: ReadonlyMap<string, PersonalData> = new Map(
  OWNED_SCHEMAS.flatMap(({ tables }) => Object.entries(tables)).map(([name, { personalData }]) => [name, personalData]),
);
const isDeletedWithAccount = ({ name }: Table) => DECLARED.get(name)?.onAccountDeletion === 'deleted';

const DAY_MS = 24 * 60 * 60_000;

type Column = {
  name: string;
  type: string;
  isNeeded: boolean;
  isAccountColumn: boolean;
  first: string | null;
};
type Table = { name: string; columns: Column[] };

let app: TestApp;
let tables: Table[];
beforeAll(async () => {
  app = await createTestApp();
  await app.app.start();
  const { rows } = await app.owner.pool.query<Table>(
    `
    select t.relname as name, json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, null),
        'isNeeded', a.attnotnull and not a.atthasdef and a.attidentity = '' and a.attgenerated = '',
        'isAccountColumn', t.relname = 'users' and a.attname = 'id' or a.attname !~ $2 and (a.atttypid = 'uuid'::regtype and a.attname ~ $1
          or exists (select from pg_constraint f where f.conrelid = t.oid and f.contype = 'f' and f.conkey = array[a.attnum]
            and f.confrelid in ('users'::regclass, 'creators'::regclass))),
        'first', (select substring(pg_get_constraintdef(k.oid) from format('%I = ANY \\(ARRAY\\[''([^'']+)''', a.attname))
          from pg_constraint k where k.conrelid = t.oid and k.contype = 'c'
            and pg_get_constraintdef(k.oid) like format('%%%I = ANY (ARRAY[%%', a.attname) limit 1)) order by a.attnum) as columns
      from pg_class t join pg_attribute a on a.attrelid = t.oid
      where t.relkind in ('r', 'p') and t.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped
      group by 1 order by 1`,
    [ACCOUNT_COLUMNS.source, OPERATOR_COLUMNS.source],
  );
  tables = rows.filter(({ columns }) => columns.some(({ isAccountColumn }) => isAccountColumn));
});
afterAll(() => app.close());

test('each table that refers to an account declares what account deletion leaves and which part of the export has it', () => {
  // Finds what scripts/lib/personal-data.ts cannot read from the migrations.
  expect(tables.filter(({ name }) => DECLARED.get(name)?.onAccountDeletion === undefined)).toEqual([]);
  expect(tables.length).toBeGreaterThan(80);
});

test('the data export has the parts that manifests name', () => {
  const parts = new Set(listExportParts(app.ctx).map(({ name }) => name));
  const named = [...DECLARED.values()].map(({ inExportAs }) => inExportAs);
  expect(named.filter((part) => typeof part === 'string' && !parts.has(part))).toEqual([]);
});

const REQUIRED_VALUES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  payout_schedules: { threshold_cents: 1 },
  policy_agreements: { source: 'prompted' },
  geo_blocks: { code: 'DE' },
  team_members: { rights: ['chat'] },
};
/** These tables are covered by account-deletion.test.ts and erasure.test.ts. */
const TESTED_ELSEWHERE = ['chat_files', 'media', 'posts', 'sessions', 'team_invitations', 'users', 'creators'];

type Sides = { type: 'creator' | 'customer'; own: TestUser; other: TestUser };

function generateValue(
  { name, type, first, isAccountColumn }: Column,
  { own, other }: Sides,
  table: string,
  accountColumn: string,
): unknown {
  if (name === accountColumn) return own.id;
  if (isAccountColumn) return other.id;
  const needed = REQUIRED_VALUES[table]?.[name];
  if (needed !== undefined) return needed;
  if (type === 'uuid') return randomUUID();
  if (/timestamp|date/.test(type)) return app.clock.now();
  if (type === 'boolean') return false;
  if (type === 'bytea') return Buffer.from(randomUUID());
  if (/int|numeric|double|real/.test(type)) return 1;
  if (type.endsWith('[]')) return [];
  if (type === 'jsonb') return '{}';
  return first ?? `x${randomUUID().slice(0, 6)}`;
}

const isOwnColumn = ({ name, isAccountColumn }: Column, { type }: Sides) =>
  isAccountColumn && name !== (type === 'creator' ? 'fan_id' : 'creator_id');

/** Inserts without foreign key checks. Returns the tables that refused a row. */
async function fill(sides: Sides, emptiedTables: readonly Table[]): Promise<string[]> {
  const refused: string[] = [];
  const client = await app.owner.pool.connect();
  for (const { name, columns } of emptiedTables)
    for (const { name: accountColumn } of columns.filter((column) => isOwnColumn(column, sides))) {
      const made = columns.filter(
        (column) => column.isNeeded || column.name === accountColumn || REQUIRED_VALUES[name]?.[column.name],
      );
      const values = made.map((column) => generateValue(column, sides, name, accountColumn));
      await client.query('begin');
      try {
        await client.query('set local session_replication_role = replica');
        const placeholders = made.map((_, index) => `$${index + 1}`).join();
        await client.query(
          `insert into ${name} (${made.map((column) => `"${column.name}"`).join()}) values (${placeholders})`,
          values,
        );
        await client.query('commit');
      } catch (error) {
        await client.query('rollback');
        refused.push(`${name}: ${String(error)}`);
      }
    }
  client.release();
  return refused;
}

describe.each(['creator', 'customer'] as const)('a %s', (type) => {
  test('account deletion leaves no row in a table that declares so', async () => {
    const user = await app.signUp(type);
    const other = await app.signUp(type === 'creator' ? 'customer' : 'creator');
    const emptiedTables = tables.filter(
      (table) => isDeletedWithAccount(table) && !TESTED_ELSEWHERE.includes(table.name),
    );
    expect(
      await fill({ type, own: user, other }, emptiedTables),
      'add values that these tables take to REQUIRED_VALUES, or the tables to TESTED_ELSEWHERE, in server/testing/personal-data.test.ts',
    ).toEqual([]);
    const response = await user.inject('POST', '/api/account/deletion', { currentPassword: user.password });
    expect(response.statusCode, response.body).toBe(200);
    await app.ctx.events.waitUntilIdle();
    app.clock.advance(14 * DAY_MS);
    await eraseUser(app.ctx, user.id, { signal: undefined });
    await app.ctx.events.waitUntilIdle();
    const listRemaining = async () => {
      const remaining: string[] = [];
      for (const { name, columns } of tables.filter(isDeletedWithAccount))
        for (const column of columns.filter(({ isAccountColumn }) => isAccountColumn)) {
          const { rowCount } = await app.owner.pool.query(`select from ${name} where "${column.name}" = $1`, [user.id]);
          if (rowCount) remaining.push(`${name}.${column.name}`);
        }
      return remaining;
    };
    // Some rows are deleted by jobs.
    await expect
      .poll(listRemaining, {
        timeout: 30_000,
        message: 'delete these rows with registerDeletionStep in their module, or say in its manifest.ts what remains',
      })
      .toEqual([]);
  });
});
