import { formatRestriction } from '@stagedoor/contract/shared/restrictions.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { seedMessage } from '../../messaging/chat/testing.ts';
import { restrictActivity } from '../accounts/index.ts';
import { createDelegatedSession, joinTeam } from './testing.ts';

const DAY_MS = 24 * 60 * 60_000;
let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const restrictChat = (user: TestUser, days: number): Promise<string> => {
  const until = new Date(app.clock.now().getTime() + days * DAY_MS);
  return app.ctx.db.transaction((tx) => restrictActivity(tx, user.id, 'chat', until)).then(() => until.toISOString());
};

test.each([
  ['the member', 2, 0],
  ['the creator', 0, 2],
  ['the member for longer', 2, 1],
  ['the creator for longer', 1, 2],
])(
  '%s is restricted from writing, so the member cannot write for the creator until it ends',
  async (_, memberDays, creatorDays) => {
    const [creator, member, fan] = [
      await app.signUp('creator'),
      await app.signUp('customer'),
      await app.signUp('customer'),
    ];
    await joinTeam(creator, member, ['chat']);
    const pair = { creatorId: creator.id, fanId: fan.id };
    const { conversationId } = await seedMessage(app.ctx, pair, { from: 'fan', text: 'Good evening' });
    const [memberUntil, creatorUntil] = [
      memberDays && (await restrictChat(member, memberDays)),
      creatorDays && (await restrictChat(creator, creatorDays)),
    ];
    const until = String(memberDays > creatorDays ? memberUntil : creatorUntil);
    const sendText = async () => {
      const delegated = await createDelegatedSession(app, member, creator.id);
      return delegated.inject('POST', '/api/message/text', { conversationId, text: 'Come in' });
    };
    const expectRefused = async () => {
      const response = await sendText();
      expect([response.statusCode, response.json().message]).toEqual([403, formatRestriction('chat', until)]);
    };
    await expectRefused();
    app.clock.advance(DAY_MS + 60_000);
    await expectRefused();
    app.clock.advance(DAY_MS);
    expect((await sendText()).statusCode).toBe(200);
  },
);
