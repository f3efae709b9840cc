/** What a user was notified of and mailed. */
import type { TestApp, TestUser } from './app.ts';

/** Kinds of notifications, oldest first. */
export async function listNotificationKinds(app: TestApp, { id }: TestUser): Promise<string[]> {
  await app.ctx.events.waitUntilIdle();
  const rows = await app.ctx.db.query
    .selectFrom('notifications')
    .select('kind')
    .where('user_id', '=', id)
    .orderBy('id')
    .execute();
  return rows.map(({ kind }) => kind);
}

export async function listMailSubjects(app: TestApp, { email }: TestUser): Promise<string[]> {
  await app.ctx.events.waitUntilIdle();
  const rows = await app.ctx.db.query
    .selectFrom('development_mail')
    .select('subject')
    .where('recipient', '=', email)
    .orderBy('id')
    .execute();
  return rows.map(({ subject }) => subject);
}
