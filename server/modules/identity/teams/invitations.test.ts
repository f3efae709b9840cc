import { TEAM_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';

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

type InvitationView = { rights: string[] };
const getTeam = async (user: TestUser) => (await user.inject('GET', '/api/creator/team')).json();
const getOwnTeams = async (user: TestUser) => (await user.inject('GET', '/api/teams')).json();
const invite = (to: string, rights: string[]) =>
  creator.inject('POST', '/api/creator/team/invitations', { to, rights });
const respond = (user: TestUser, id: string) =>
  user.inject('POST', `/api/teams/invitations/${id}`, { isAccepted: true });

test('an older invitation cannot be used after joining, a change of rights or removal', async () => {
  await invite(member.email, ['chat', 'posts', 'figures']);
  await invite(member.username, ['figures']);
  const { invitations } = await getOwnTeams(member);
  const [allRightsId, fewRightsId] = [3, 1].map(
    (count) => invitations.find(({ rights }: InvitationView) => rights.length === count).id,
  );
  expect((await respond(member, fewRightsId)).json()).toMatchObject({
    memberships: [{ rights: ['figures'] }],
    invitations: [],
  });
  expect((await getTeam(creator)).invitations).toEqual([]);
  expect((await respond(member, allRightsId)).json().code).toBe('NOT_FOUND');

  const inviteAgain = async () => {
    await invite(member.email, ['chat', 'posts', 'figures']);
    return (await getOwnTeams(member)).invitations[0].id;
  };
  const path = `/api/creator/team/members/${member.id}`;
  const beforeChange = await inviteAgain();
  expect((await creator.inject('PATCH', path, { rights: ['chat'] })).statusCode).toBe(200);
  expect((await respond(member, beforeChange)).json().code).toBe('NOT_FOUND');
  const beforeEnd = await inviteAgain();
  expect((await creator.inject('DELETE', path)).statusCode).toBe(200);
  expect((await respond(member, beforeEnd)).json().code).toBe('NOT_FOUND');
  expect(await getTeam(creator)).toMatchObject({ members: [], invitations: [] });
  expect((await respond(member, await inviteAgain())).json().memberships).toHaveLength(1);
});

test('one of two simultaneously accepted invitations succeeds, and no other is left', async () => {
  await invite(member.email, ['chat']);
  await invite(member.username, ['figures']);
  const { invitations } = await getOwnTeams(member);
  const responses = await Promise.all(invitations.map(({ id }: { id: string }) => respond(member, id)));
  expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 404]);
  expect((await getTeam(creator)).invitations).toEqual([]);
});

test('an invitation mail names the creator by username and never by display name', async () => {
  const creatorWithName = await app.signUp('creator', { name: 'Log in at https://evil.example/login' });
  const to = 'stranger.to.them@example.com';
  await creatorWithName.inject('POST', '/api/creator/team/invitations', { to, rights: ['figures'] });
  const mails = await app.ctx.db.query.selectFrom('development_mail').selectAll().where('recipient', '=', to).execute();
  expect(mails).toHaveLength(1);
  expect(JSON.stringify(mails)).not.toContain('evil.example');
  expect(mails[0]?.body).toContain(`@${creatorWithName.username} invited you to their team`);
});

test('invitations are limited per day, including withdrawn ones', async () => {
  const inviteMany = async (from: number, count: number) => {
    const statuses: number[] = [];
    for (let n = from; n < from + count; n += 1) {
      const response = await invite(`loop${n}.of.them@example.com`, ['figures']);
      statuses.push(response.statusCode);
      if (response.statusCode !== 200) {
        expect(response.json()).toMatchObject({ code: 'RATE_LIMITED', message: expect.stringContaining('24 hours') });
        continue;
      }
      await creator.inject('DELETE', `/api/creator/team/invitations/${response.json().invitations[0].id}`);
    }
    return statuses;
  };
  const max = TEAM_LIMITS.invitationsPerDay;
  expect(await inviteMany(0, max + 5)).toEqual([...Array(max).fill(200), ...Array(5).fill(429)]);
  const mails = await app.ctx.db.query
    .selectFrom('development_mail')
    .select('recipient')
    .where('recipient', 'like', 'loop%.of.them@example.com')
    .execute();
  expect(mails).toHaveLength(max);
  expect((await getTeam(creator)).invitations).toEqual([]);
  const other = await app.signUp('creator');
  const response = await other.inject('POST', '/api/creator/team/invitations', { to: member.email, rights: ['chat'] });
  expect(response.statusCode).toBe(200);
  app.clock.advance(24 * 60 * 60_000);
  creator = await app.logIn(creator);
  expect(await inviteMany(max + 5, 1)).toEqual([200]);
});
