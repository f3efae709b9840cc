import { closedActivityWords } from '@stagedoor/contract/atoms/activities.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../testing/app.ts';
import { keepFrom } from '../accounts/index.ts';
import { writeDirectly } from '../chat/testing.ts';
import { actingFor, joinTeam } from './testing.ts';

const DAY_MS = 24 * 60 * 60_000;
let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const kept = (who: TestUser, days: number): Promise<string> => {
  const until = new Date(app.clock.now().getTime() + days * DAY_MS);
  return app.ctx.db.transaction((tx) => keepFrom(tx, who.id, 'chat', until)).then(() => until.toISOString());
};

test.each([
  ['the member', 2, 0],
  ['the creator', 0, 2],
  ['the member for longer', 2, 1],
  ['the creator for longer', 1, 2],
])(
  '%s is restricted from writing, so the member cannot write for the creator until it ends',
  async (_, ofMember, ofCreator) => {
    const [creator, member, fan] = [
      await app.signUp('creator'),
      await app.signUp('customer'),
      await app.signUp('customer'),
    ];
    await joinTeam(creator, member, ['chat']);
    const pair = { creatorId: creator.id, fanId: fan.id };
    const { conversationId } = await writeDirectly(app.ctx, pair, { from: 'fan', text: 'Good evening' });
    const [of, by] = [ofMember && (await kept(member, ofMember)), ofCreator && (await kept(creator, ofCreator))];
    const until = String(ofMember > ofCreator ? of : by);
    const say = async () => {
      const acting = await actingFor(app, member, creator.id);
      return acting.inject('POST', '/api/message/text', { conversationId, text: 'Come in' });
    };
    const isRefused = async () => {
      const answer = await say();
      expect([answer.statusCode, answer.json().message]).toEqual([403, closedActivityWords('chat', until)]);
    };
    await isRefused();
    app.clock.advance(DAY_MS + 60_000);
    await isRefused();
    app.clock.advance(DAY_MS);
    expect((await say()).statusCode).toBe(200);
  },
);
