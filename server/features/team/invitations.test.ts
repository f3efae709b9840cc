import { TEAM } from '@stagedoor/contract/atoms/room-limits.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../testing/app.ts';

let app: TestApp;
let creator: TestUser;
let member: TestUser;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  [creator, member] = await Promise.all([app.signUp('creator'), app.signUp('customer')]);
});

type Asked = { rights: string[] };
const teamOf = async (who: TestUser) => (await who.inject('GET', '/api/creator/team')).json();
const teamsOf = async (who: TestUser) => (await who.inject('GET', '/api/teams')).json();
const invite = (to: string, rights: string[]) =>
  creator.inject('POST', '/api/creator/team/invitations', { to, rights });
const answer = (who: TestUser, id: string) => who.inject('POST', `/api/teams/invitations/${id}`, { isAccepted: true });

test('an older invitation cannot be used after joining, a change of rights or removal', async () => {
  await invite(member.email, ['chat', 'posts', 'figures']);
  await invite(member.username, ['figures']);
  const { invitations } = await teamsOf(member);
  const [all, few] = [3, 1].map((count) => invitations.find(({ rights }: Asked) => rights.length === count).id);
  expect((await answer(member, few)).json()).toMatchObject({
    memberships: [{ rights: ['figures'] }],
    invitations: [],
  });
  expect((await teamOf(creator)).invitations).toEqual([]);
  expect((await answer(member, all)).json().code).toBe('NOT_FOUND');

  const again = async () => {
    await invite(member.email, ['chat', 'posts', 'figures']);
    return (await teamsOf(member)).invitations[0].id;
  };
  const path = `/api/creator/team/members/${member.id}`;
  const beforeChange = await again();
  expect((await creator.inject('PATCH', path, { rights: ['chat'] })).statusCode).toBe(200);
  expect((await answer(member, beforeChange)).json().code).toBe('NOT_FOUND');
  const beforeEnd = await again();
  expect((await creator.inject('DELETE', path)).statusCode).toBe(200);
  expect((await answer(member, beforeEnd)).json().code).toBe('NOT_FOUND');
  expect(await teamOf(creator)).toMatchObject({ members: [], invitations: [] });
  expect((await answer(member, await again())).json().memberships).toHaveLength(1);
});

test('one of two simultaneously accepted invitations succeeds, and no other is left', async () => {
  await invite(member.email, ['chat']);
  await invite(member.username, ['figures']);
  const { invitations } = await teamsOf(member);
  const answers = await Promise.all(invitations.map(({ id }: { id: string }) => answer(member, id)));
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 404]);
  expect((await teamOf(creator)).invitations).toEqual([]);
});

test('an invitation mail names the creator by username and never by display name', async () => {
  const named = await app.signUp('creator', { name: 'Log in at https://evil.example/login' });
  const to = 'stranger.to.them@example.com';
  await named.inject('POST', '/api/creator/team/invitations', { to, rights: ['figures'] });
  const mails = await app.ctx.db.query.selectFrom('development_mail').selectAll().where('recipient', '=', to).execute();
  expect(mails).toHaveLength(1);
  expect(JSON.stringify(mails)).not.toContain('evil.example');
  expect(mails[0]?.body).toContain(`@${named.username} invited you to their team`);
});

test('invitations are limited per day, including withdrawn ones', async () => {
  const loop = async (from: number, count: number) => {
    const statuses: number[] = [];
    for (let n = from; n < from + count; n += 1) {
      const asked = await invite(`loop${n}.of.them@example.com`, ['figures']);
      statuses.push(asked.statusCode);
      if (asked.statusCode !== 200) {
        expect(asked.json()).toMatchObject({ code: 'RATE_LIMITED', message: expect.stringContaining('24 hours') });
        continue;
      }
      await creator.inject('DELETE', `/api/creator/team/invitations/${asked.json().invitations[0].id}`);
    }
    return statuses;
  };
  const most = TEAM.invitationsADay;
  expect(await loop(0, most + 5)).toEqual([...Array(most).fill(200), ...Array(5).fill(429)]);
  const mails = await app.ctx.db.query
    .selectFrom('development_mail')
    .select('recipient')
    .where('recipient', 'like', 'loop%.of.them@example.com')
    .execute();
  expect(mails).toHaveLength(most);
  expect((await teamOf(creator)).invitations).toEqual([]);
  const other = await app.signUp('creator');
  const asked = await other.inject('POST', '/api/creator/team/invitations', { to: member.email, rights: ['chat'] });
  expect(asked.statusCode).toBe(200);
  app.clock.advance(24 * 60 * 60_000);
  creator = await app.logIn(creator);
  expect(await loop(most + 5, 1)).toEqual([200]);
});
