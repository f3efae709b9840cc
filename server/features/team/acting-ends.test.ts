import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTestApp, type TestApp } from '../../testing/app.ts';
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
    const begin = () => other.inject('POST', '/api/teams/act', { creatorId: creator.id });
    const end = () => owner.inject('POST', '/api/auth/sessions/revoke-others');
    const holder = await app.owner.pool.connect();
    const waiting = (count: number) =>
      vi.waitFor(
        async () => {
          const { rowCount } = await app.owner.pool.query(
            `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          );
          expect(rowCount).toBe(count);
        },
        { timeout: 20_000, interval: 20 },
      );
    try {
      await holder.query('begin');
      await holder.query('select from users where id = $1 for update', [member.id]);
      const first = order === 'beginning first' ? begin() : end();
      await waiting(1);
      const second = order === 'beginning first' ? end() : begin();
      await waiting(2);
      await holder.query('commit');
      await Promise.all([first, second]);
    } finally {
      holder.release();
    }
    const left = await app.ctx.db.query
      .selectFrom('sessions')
      .select('acting_for')
      .where('user_id', '=', member.id)
      .execute();
    expect(left).toEqual([{ acting_for: null }]);
    expect((await owner.inject('GET', '/api/auth/user')).statusCode).toBe(200);
  },
);
