/** What archives and closings read of one person is found by an index, however much others have. */
import { userId } from '@stagedoor/contract/atoms/ids.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { registeredParts } from '../features/archive/testing.ts';
import { closingSteps } from '../features/closing/testing.ts';
import type { Context } from '../kernel/context.ts';
import type { Executor, Statement } from '../kernel/db.ts';
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

/** Every statement that is run for somebody, by its name. */
async function statementsOf(work: (ctx: Context) => Promise<void>): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const { db } = app.ctx;
  const heard =
    (by: Pick<Executor, 'run'>): Executor['run'] =>
    <Row extends object>(statement: Statement, values: readonly unknown[]) => {
      found.set(statement.name, statement.text);
      return by.run<Row>(statement, values);
    };
  const transaction: typeof db.transaction = (act) => db.transaction((tx) => act({ ...tx, run: heard(tx) }));
  await work({ ...app.ctx, db: { ...db, transaction, run: heard(db) } });
  return found;
}

test('likes, files, pictures, messages and what was written to us', async () => {
  const { id, username } = await app.signUp('creator');
  const owner = { id, userId: userId.parse(id), type: 'creator', username } as const;
  const statements = await statementsOf(async (ctx) => {
    for (const { entries, files } of registeredParts(app.ctx)) {
      if (entries) await readAll(entries(ctx, owner));
      if (files) await readAll(files(ctx, owner));
    }
    for (const { erase } of closingSteps(app.ctx)) await erase?.(ctx, owner, undefined);
  });
  for (const [name, indices] of [
    ['posts-archive-likes', ['post_likes_of_user']],
    ['posts-closing-likes', ['post_likes_of_user']],
    ['chat-archive-files', ['chat_files_of_owner']],
    ['chat-closing-files', ['chat_files_of_owner']],
    ['chat-closing-messages', ['messages_sent_once']],
    ['cases-closing-pictures', ['case_pictures_of_owner']],
    ['cases-archive', ['case_entries_by', 'cases_of', 'case_entries_of']],
  ] as const) {
    const { rows } = await app.owner.pool.query<{ 'QUERY PLAN': string }>(
      `explain (generic_plan, costs off) ${statements.get(name)}`,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    for (const index of indices) expect(plan, name).toMatch(new RegExp(`(using|on) ${index}\\b`));
  }
});
