import { globSync, readFileSync } from 'node:fs';
import { userId } from '@stagedoor/contract/shared/ids.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listDeletionSteps } from '../modules/identity/account-deletion/testing.ts';
import { listExportParts } from '../modules/identity/data-export/testing.ts';
import type { Context } from '../platform/context.ts';
import type { Executor, SqlStatement } from '../platform/database/db.ts';
import { afterIdSql, beforeIdSql } from '../platform/database/pagination.ts';
import { createTestApp, type TestApp } from './app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

async function readAll(pages: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const _ of pages) count += 1;
  return count;
}

async function collectStatements(work: (ctx: Context) => Promise<void>): Promise<Map<string, string>> {
  const statements = new Map<string, string>();
  const { db } = app.ctx;
  const recordRun =
    (by: Pick<Executor, 'run'>): Executor['run'] =>
    <Row extends object>(statement: SqlStatement, values: readonly unknown[]) => {
      statements.set(statement.name, statement.text);
      return by.run<Row>(statement, values);
    };
  const transaction: typeof db.transaction = (act) => db.transaction((tx) => act({ ...tx, run: recordRun(tx) }));
  await work({ ...app.ctx, db: { ...db, transaction, run: recordRun(db) } });
  return statements;
}

test('data export and account deletion read likes, files, messages and cases of a user by an index', async () => {
  const { id, username } = await app.signUp('creator');
  const owner = { id, userId: userId.parse(id), type: 'creator', username } as const;
  const statements = await collectStatements(async (ctx) => {
    for (const { entries, files } of listExportParts(app.ctx)) {
      if (entries) await readAll(entries(ctx, owner));
      if (files) await readAll(files(ctx, owner));
    }
    for (const { erase } of listDeletionSteps(app.ctx)) await erase?.(ctx, owner, undefined);
  });
  for (const [name, indices] of [
    ['posts-export-likes', ['post_likes_of_user']],
    ['posts-deletion-likes', ['post_likes_of_user']],
    ['chat-export-files', ['chat_files_of_owner']],
    ['chat-deletion-files', ['chat_files_of_owner']],
    ['chat-deletion-unsend-messages', ['messages_sent_once']],
    ['moderation-deletion-pictures', ['case_pictures_of_owner']],
    ['moderation-export', ['case_entries_by', 'cases_of', 'case_entries_of']],
  ] as const) {
    const { rows } = await app.owner.pool.query<{ 'QUERY PLAN': string }>(
      `explain (generic_plan, costs off) ${statements.get(name)}`,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    for (const index of indices) expect(plan, name).toMatch(new RegExp(`(using|on) ${index}\\b`));
  }
});

test('the first and the following pages of a keyset query use the index', async () => {
  const client = await app.owner.pool.connect();
  try {
    await client.query('begin; set local enable_seqscan = off; set local enable_bitmapscan = off');
    for (const [condition, sign, order] of [
      [afterIdSql('fan_id', '$2'), '>', 'asc'],
      [beforeIdSql('fan_id', '$2'), '<', 'desc'],
    ] as const) {
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(
        `explain (generic_plan) select fan_id from follows where creator_id = $1 and ${condition} order by fan_id ${order} limit 10`,
      );
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).toContain(`Index Cond: ((creator_id = $1) AND (fan_id ${sign} COALESCE($2`);
    }
  } finally {
    await client.query('rollback');
    client.release();
  }
});

test('no statement has a page condition with "or", because no index supports it', () => {
  const hidden = /\$(\d)(?:::uuid)? is null or [\w.]+ [<>]=? \$\1/;
  const files = globSync('{server,contract}/**/*.{ts,sql}', { exclude: ['**/*.test.ts', '**/node_modules/**'] });
  expect(files.length).toBeGreaterThan(500);
  expect(files.filter((file) => hidden.test(readFileSync(file, 'utf8')))).toEqual([]);
});
