import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../testing/app.ts';
import { waitForBlockedQueries } from '../../../testing/locks.ts';
import { joinTeam } from './testing.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

test.each(['beginning first', 'ending first'])(
  'starting to act while the other sessions are ended leaves no extra session: %s',
  async (order) => {
    const [creator, member] = await Promise.all([app.signUp('creator'), app.signUp('customer')]);
    await joinTeam(creator, member, ['chat']);
    const [other, owner] = [await app.logIn(member), await app.logIn(member)];
    const startDelegation = () => other.inject('POST', '/api/teams/delegation', { creatorId: creator.id });
    const endOtherSessions = () => owner.inject('POST', '/api/auth/sessions/revoke-others');
    const lockHolder = await app.owner.pool.connect();
    try {
      await lockHolder.query('begin');
      await lockHolder.query('select from users where id = $1 for update', [member.id]);
      const first = order === 'beginning first' ? startDelegation() : endOtherSessions();
      await waitForBlockedQueries(app, 1);
      const second = order === 'beginning first' ? endOtherSessions() : startDelegation();
      await waitForBlockedQueries(app, 2);
      await lockHolder.query('commit');
      await Promise.all([first, second]);
    } finally {
      lockHolder.release();
    }
    const remaining = await app.ctx.db.query
      .selectFrom('sessions')
      .select('on_behalf_of_id')
      .where('user_id', '=', member.id)
      .execute();
    expect(remaining).toEqual([{ on_behalf_of_id: null }]);
    expect((await owner.inject('GET', '/api/auth/user')).statusCode).toBe(200);
  },
);
