import { sessionId, userId } from '@stagedoor/contract/shared/ids.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import type { Actor } from '../../../platform/security/session.ts';
import { createTestApp, type TestApp } from '../../../testing/app.ts';
import { accessOwnAccount, lockOwnAccount, requirePassword } from './access.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const MISSING_ID = '0199d3a0-0000-7000-8000-000000000001';

function asActor(id: string): Actor {
  return {
    userId: z.parse(userId, id),
    sessionId: z.parse(sessionId, MISSING_ID),
    type: 'customer',
    username: 'ada',
    isBlocked: false,
    hasSecondFactor: false,
    loggedInAt: new Date(),
  };
}

test('an account that was deleted since the session was read counts as logged out', async () => {
  const actor = asActor(MISSING_ID);
  await expect(accessOwnAccount(app.ctx.db, actor)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  await expect(lockOwnAccount(app.ctx.db, actor)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
});

test('an account that was blocked since the session was read is refused', async () => {
  const { id } = await app.signUp('customer');
  await app.owner.pool.query('update users set is_blocked = true where id = $1', [id]);
  await expect(accessOwnAccount(app.ctx.db, asActor(id))).rejects.toMatchObject({ code: 'account_blocked' });
});

test('a wrong current password is refused at its field and recorded in the security log', async () => {
  const { id } = await app.signUp('customer');
  const user = await accessOwnAccount(app.ctx.db, asActor(id));
  const note = vi.spyOn(app.ctx.security, 'note');
  await expect(requirePassword(app.ctx, user, 'Wrong9&pass')).rejects.toMatchObject({
    code: 'VALIDATION',
    data: { error: [{ field: 'currentPassword', message: 'Incorrect password.' }] },
  });
  expect(note).toHaveBeenCalledWith({ kind: 'passwordRefused', userId: id });
});
