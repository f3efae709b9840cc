import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, getActor, type TestApp, type TestUser } from '../../../testing/app.ts';
import { catchErrorCode } from '../../ledger/ledger/testing.ts';
import { makeReadyPicture } from '../media/testing.ts';
import { accessPost, isVisible } from './access.ts';
import { makePost } from './testing.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

describe('a post', () => {
  const published = { removed_at: null, is_blocked: false, entitlement: null, media_count: 1 };

  it('is visible to everyone while it is published and its creator is not blocked', () => {
    expect(isVisible(published)).toBe(true);
    expect(isVisible({ ...published, removed_at: new Date(0) })).toBe(false);
    expect(isVisible({ ...published, is_blocked: true })).toBe(false);
  });

  it('stays visible to its creator and buyers, until its files are released', () => {
    for (const entitlement of ['own', 'purchase'] as const) {
      expect(isVisible({ ...published, entitlement, removed_at: new Date(0), is_blocked: true })).toBe(true);
      expect(isVisible({ ...published, entitlement, media_count: 0 })).toBe(false);
    }
  });

  it('can be unlocked by fans only, and only if it is paid', async () => {
    const [creator, other, fan] = await Promise.all([
      app.signUp('creator'),
      app.signUp('creator'),
      app.signUp('customer'),
    ]);
    const create = async (priceCents: number) =>
      makePost(app.ctx, creator.id, { priceCents, mediaIds: [await makeReadyPicture(app.ctx, creator.id)] });
    const [paid, free] = [await create(500), await create(0)];
    const unlock = async (user: TestUser | undefined, postId: string) =>
      catchErrorCode(accessPost(app.ctx.db, user && (await getActor(app, user)), postId, 'unlock'));
    expect(await unlock(fan, paid)).toBeUndefined();
    expect(await unlock(other, paid)).toBe('FORBIDDEN');
    expect(await unlock(undefined, paid)).toBe('FORBIDDEN');
    await expect(accessPost(app.ctx.db, await getActor(app, fan), free, 'unlock')).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: 'This post is free.',
    });
  });
});
