/** Nothing that names an account is forgotten: each such table says what a closing leaves there, and where the archive has it. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { registeredParts } from '../features/archive/testing.ts';
import { erase } from '../features/closing/testing.ts';
import { STORED } from '../features/policies/testing.ts';
import { createTestApp, type TestApp, type TestUser } from './app.ts';
import { HELD } from './held.ts';

const DAY_MS = 24 * 60 * 60_000;

type Column = {
  name: string;
  type: string;
  isNeeded: boolean;
  /** Whether it names an account, by its name or by what it refers to. */
  isPerson: boolean;
  /** A value that its checks let in, where they list some. */
  first: string | null;
};
type Table = { name: string; columns: Column[] };

let app: TestApp;
let tables: Table[];
beforeAll(async () => {
  app = await createTestApp();
  await app.app.start();
  const { rows } = await app.owner.pool.query<Table>(`
    select t.relname as name, json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, null),
        'isNeeded', a.attnotnull and not a.atthasdef and a.attidentity = '' and a.attgenerated = '',
        'isPerson', a.atttypid = 'uuid'::regtype and a.attname ~ '^(user|creator|fan|owner|affiliate|referred|person|from|sender|author|member|actor)_id$'
          or t.relname = 'users' and a.attname = 'id',
        'first', (select substring(pg_get_constraintdef(k.oid) from format('%I = ANY \\(ARRAY\\[''([^'']+)''', a.attname))
          from pg_constraint k where k.conrelid = t.oid and k.contype = 'c'
            and pg_get_constraintdef(k.oid) like format('%%%I = ANY (ARRAY[%%', a.attname) limit 1)) order by a.attnum) as columns
      from pg_class t join pg_attribute a on a.attrelid = t.oid
      where t.relkind in ('r', 'p') and t.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped
      group by 1 order by 1`);
  tables = rows.filter(({ columns }) => columns.some(({ isPerson }) => isPerson));
});
afterAll(() => app.close());

test('every table that names an account says what is left and where it is found, and stands in the privacy policy', () => {
  expect(tables.map(({ name }) => name)).toEqual(Object.keys(HELD).toSorted());
  const told = new Set(STORED.flatMap((group) => group.tables));
  expect(Object.keys(HELD).filter((name) => !told.has(name))).toEqual([]);
});

test('the archive has the parts that are named', () => {
  const parts = new Set(registeredParts(app.ctx).map(({ name }) => name));
  const named = Object.values(HELD).map(({ archive }) => archive);
  expect(named.filter((part) => !part.startsWith('— ') && !parts.has(part))).toEqual([]);
});

/** What a row of a table needs that follows from no type. */
const NEEDED: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  payout_rules: { above_cents: 1 },
  policy_agreements: { way: 'asked' },
  region_blocks: { code: 'DE' },
  team_members: { rights: ['chat'] },
};
/** Made of more than a row can say; a test of what people do has them: closing, erased. */
const BY_HAND = ['chat_files', 'media', 'posts', 'sessions', 'team_invitations', 'users', 'creators'];

/** Whose the row is, and who is on the other side of it. */
type Sides = { type: 'creator' | 'customer'; own: TestUser; other: TestUser };

function madeUp(
  { name, type, first, isPerson }: Column,
  { own, other }: Sides,
  table: string,
  person: string,
): unknown {
  if (name === person) return own.id;
  if (isPerson) return other.id;
  const needed = NEEDED[table]?.[name];
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

/** Fans are no creators, and creators no fans. */
const isOf = ({ name, isPerson }: Column, { type }: Sides) =>
  isPerson && name !== (type === 'creator' ? 'fan_id' : 'creator_id');

/** Puts a row that names somebody into every table that keeps nothing, whatever it refers to. Answers those that take none. */
async function fill(sides: Sides, emptied: readonly Table[]): Promise<string[]> {
  const refused: string[] = [];
  const client = await app.owner.pool.connect();
  for (const { name, columns } of emptied)
    for (const { name: person } of columns.filter((column) => isOf(column, sides))) {
      const made = columns.filter((column) => column.isNeeded || column.name === person || NEEDED[name]?.[column.name]);
      const values = made.map((column) => madeUp(column, sides, name, person));
      await client.query('begin');
      try {
        await client.query('set local session_replication_role = replica');
        const places = made.map((_, index) => `$${index + 1}`).join();
        await client.query(
          `insert into ${name} (${made.map((column) => `"${column.name}"`).join()}) values (${places})`,
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

describe.each(['creator', 'customer'] as const)('of a %s', (type) => {
  test('nothing is left where nothing is said to be left', async () => {
    const who = await app.signUp(type);
    const other = await app.signUp(type === 'creator' ? 'customer' : 'creator');
    const emptied = tables.filter(({ name }) => HELD[name]?.left === null && !BY_HAND.includes(name));
    expect(await fill({ type, own: who, other }, emptied)).toEqual([]);
    const answer = await who.inject('POST', '/api/account/close', { currentPassword: who.password });
    expect(answer.statusCode, answer.body).toBe(200);
    await app.ctx.events.settle();
    app.clock.advance(14 * DAY_MS);
    await erase(app.ctx, who.id, { signal: undefined });
    await app.ctx.events.settle();
    const leftIn = async () => {
      const left: string[] = [];
      for (const { name, columns } of tables.filter((table) => HELD[table.name]?.left === null))
        for (const column of columns.filter(({ isPerson }) => isPerson)) {
          const { rowCount } = await app.owner.pool.query(`select from ${name} where "${column.name}" = $1`, [who.id]);
          if (rowCount) left.push(`${name}.${column.name}`);
        }
      return left;
    };
    // What goes with a follow goes by a job.
    await expect.poll(leftIn, { timeout: 30_000 }).toEqual([]);
  });
});
