import type { AddressInfo } from 'node:net';
import { TEAM_RIGHTS } from '@stagedoor/contract/atoms/acting.ts';
import { TEAM } from '@stagedoor/contract/atoms/room-limits.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../testing/app.ts';
import { addressOf, sampleOf } from '../../testing/samples.ts';
import { blockAccount } from '../accounts/index.ts';
import { findArchive, make, unzip } from '../archive/testing.ts';
import { openTab, writeDirectly } from '../chat/testing.ts';
import { makeFollow } from '../follows/testing.ts';
import { ROUTES } from '../index.ts';
import { makePost } from '../posts/testing.ts';
import { actingFor, joinTeam } from './testing.ts';

const DAY_MS = 24 * 60 * 60_000;
let app: TestApp;
let port = 0;
let creator: TestUser;
let member: TestUser;
let fan: TestUser;
beforeAll(async () => {
  app = await createTestApp();
  await app.app.start();
  await app.app.http.listen({ port: 0, host: '127.0.0.1' });
  port = (app.app.http.server.address() as AddressInfo).port;
});
afterAll(() => app.close());
beforeEach(async () => {
  [creator, member, fan] = await Promise.all([
    app.signUp('creator', { name: 'Mirele' }),
    app.signUp('customer', { name: 'Jonas Helper' }),
    app.signUp('customer'),
  ]);
});

const talk = (text = 'Good evening') =>
  writeDirectly(app.ctx, { creatorId: creator.id, fanId: fan.id }, { from: 'fan', text });
const write = (who: TestUser, conversationId: string, text: string) =>
  who.inject('POST', '/api/message/text', { conversationId, text });
const teamOf = async (who: TestUser) => (await who.inject('GET', '/api/creator/team')).json();
const teamsOf = async (who: TestUser) => (await who.inject('GET', '/api/teams')).json();
const invite = (to: string, rights: string[] = ['chat'], who = creator) =>
  who.inject('POST', '/api/creator/team/invitations', { to, rights });
const answer = (who: TestUser, id: string, isAccepted = true) =>
  who.inject('POST', `/api/teams/invitations/${id}`, { isAccepted });
const act = (who: TestUser, creatorId: string | null) => who.inject('POST', '/api/teams/act', { creatorId });

describe('an invitation', () => {
  test('by username is mailed, accepted in the member’s own session and reported to the creator', async () => {
    const asked = await invite(member.username, ['chat', 'figures']);
    expect(asked.json()).toMatchObject({ members: [], invitations: [{ to: member.username }], most: TEAM.members });
    const [invitation] = (await teamsOf(member)).invitations;
    expect(invitation).toMatchObject({ creator: { id: creator.id, name: 'Mirele' }, rights: ['chat', 'figures'] });
    expect((await answer(member, invitation.id)).json()).toMatchObject({ invitations: [], actingFor: null });
    expect(await teamOf(creator)).toMatchObject({
      members: [{ person: { id: member.id, name: 'Jonas Helper' }, rights: ['chat', 'figures'] }],
      invitations: [],
    });
    const mails = await app.ctx.db.query.selectFrom('development_mail').select(['recipient', 'subject']).execute();
    expect(mails).toContainEqual({ recipient: member.email, subject: 'You’re invited to a team' });
    expect(mails).toContainEqual({ recipient: creator.email, subject: 'New team member' });
    await app.ctx.events.settle();
    const [alert] = (await creator.inject('GET', '/api/notifications')).json().data;
    expect(alert).toMatchObject({ kind: 'teamJoined', people: [{ name: 'Jonas Helper' }], text: 'joined your team' });
  });

  test('by address can be accepted by its confirmed owner only and reveals no account', async () => {
    const [known, unknown] = [await invite(member.email.toUpperCase()), await invite('nobody.here@example.com')];
    expect([known.statusCode, unknown.statusCode]).toEqual([200, 200]);
    const [invitation] = (await teamsOf(member)).invitations;
    expect((await teamsOf(fan)).invitations).toEqual([]);
    expect((await answer(fan, invitation.id)).statusCode).toBe(404);
    expect((await answer(member, invitation.id)).statusCode).toBe(200);
    const late = await app.signUp('customer', { email: 'nobody.here@example.com' });
    expect((await teamsOf(late)).invitations).toHaveLength(1);
  });

  test('has no effect once declined, withdrawn or expired, and a new one replaces it', async () => {
    const idOf = async () => (await teamsOf(member)).invitations[0]?.id;
    await invite(member.username);
    const declined = await idOf();
    expect((await answer(member, declined, false)).json()).toMatchObject({ memberships: [], invitations: [] });
    expect((await answer(member, declined)).statusCode).toBe(404);
    await invite(member.username);
    const withdrawn = await idOf();
    const stranger = await app.signUp('creator');
    expect((await stranger.inject('DELETE', `/api/creator/team/invitations/${withdrawn}`)).statusCode).toBe(404);
    expect((await creator.inject('DELETE', `/api/creator/team/invitations/${withdrawn}`)).statusCode).toBe(200);
    expect((await answer(member, withdrawn)).statusCode).toBe(404);
    await invite(member.username);
    await invite(member.username, ['posts']);
    expect((await teamsOf(member)).invitations).toMatchObject([{ rights: ['posts'] }]);
    const old = await idOf();
    app.clock.advance(TEAM.invitationDays * DAY_MS);
    expect((await answer(await app.logIn(member), old)).statusCode).toBe(404);
    expect((await teamOf(creator)).invitations).toEqual([]);
  });

  test('to an unknown, blocked, own or operator account fails with the same error', async () => {
    await talk();
    await creator.inject('POST', `/api/message/block-unblock-customer/${fan.id}`, { isBlocked: true });
    const [operator, gone] = [await app.signUp('operator'), await app.signUp('customer')];
    await blockAccount(app.ctx, gone.id, 'test');
    const names = ['nobody.at.all', creator.username, operator.username, gone.username, fan.username];
    const answers = await Promise.all(names.map((name) => invite(name)));
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    expect(answers[0]?.json().error).toMatchObject([{ field: 'to' }]);
  });

  test('counts towards the limit of ten, also for concurrent requests', async () => {
    const tries = Array.from({ length: TEAM.members + 3 }, (_, at) => invite(`person${at}.team@example.com`));
    const answers = await Promise.all(tries);
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(TEAM.members);
    expect((await teamOf(creator)).invitations).toHaveLength(TEAM.members);
  });
});

describe('acting for a creator', () => {
  test('stores the author of a message: the fan sees the team, the creator sees the member', async () => {
    const { conversationId } = await talk();
    await joinTeam(creator, member, ['chat']);
    const acting = await actingFor(app, member, creator.id);
    const [theirs, own] = [await openTab(port, fan.cookie), await openTab(port, creator.cookie)];
    const sent = await write(acting, conversationId, 'It is fired on Friday.');
    expect(sent.json().data).toMatchObject({ ownerId: creator.id, by: { member: 'Jonas Helper' } });
    const forFan = { name: 'Mirele’s team', member: null };
    await expect.poll(() => theirs.of('RECEIVE_MESSAGE')).toContainEqual([expect.objectContaining({ by: forFan })]);
    await expect
      .poll(() => own.of('RECEIVE_MESSAGE'))
      .toContainEqual([expect.objectContaining({ by: { name: 'Mirele’s team', member: 'Jonas Helper' } })]);
    expect(JSON.stringify(theirs.heard)).not.toContain('Jonas');
    const read = (await fan.inject('GET', `/api/message/list/${conversationId}`)).json().data;
    expect(read[0]).toMatchObject({ text: 'It is fired on Friday.', by: forFan });
    expect(read[1]).not.toHaveProperty('by');
    await write(creator, conversationId, 'I am here myself.');
    const [mine] = (await fan.inject('GET', `/api/message/list/${conversationId}`)).json().data;
    expect(mine).not.toHaveProperty('by');
    for (const tab of [theirs, own]) tab.close();
  });

  test('stores the author of a broadcast too, and data exports show it as it was read', async () => {
    await makeFollow(app.ctx, fan.id, creator.id);
    await joinTeam(creator, member, ['chat']);
    const acting = await actingFor(app, member, creator.id);
    const body = { audience: 'followers', text: 'Tonight at nine' };
    expect((await acting.inject('POST', '/api/message/broadcast-text', body)).json().data.message).toMatchObject({
      by: { member: 'Jonas Helper' },
    });
    await app.ctx.events.settle();
    const [conversation] = (await fan.inject('GET', '/api/message/conversation-list')).json().data;
    const [heard] = (await fan.inject('GET', `/api/message/list/${conversation.id}`)).json().data;
    expect(heard).toMatchObject({ text: 'Tonight at nine', by: { name: 'Mirele’s team', member: null } });
    const written = async (who: TestUser) => {
      await who.inject('POST', '/api/account/archive');
      const row = await findArchive(app.ctx.db, who.id);
      await make(app.ctx, { userId: who.id, id: row?.id ?? '' }, { isLast: true, signal: undefined });
      await who.inject('POST', '/api/account/archive/open', { currentPassword: who.password });
      const files = unzip((await who.inject('GET', '/api/account/archive/file')).rawPayload);
      return JSON.parse(files.get('data/messages.json')?.toString() ?? '[]')[0].writtenBy;
    };
    expect(await written(fan)).toBe('Mirele’s team');
    expect(await written(creator)).toBe('Jonas Helper');
  });

  test('shows the creator without private data, and who acts', async () => {
    await joinTeam(creator, member, ['posts']);
    const acting = await actingFor(app, member, creator.id);
    expect((await acting.inject('GET', '/api/auth/user')).json()).toMatchObject({
      id: creator.id,
      type: 'creator',
      email: '',
      acting: { name: 'Jonas Helper', rights: ['posts'] },
    });
    expect(await teamsOf(acting)).toMatchObject({ actingFor: creator.id });
    const draft = await acting.inject('POST', '/api/creator/drafts', { caption: 'Moon jar' });
    expect(draft.statusCode, draft.body).toBe(200);
    expect((await creator.inject('GET', '/api/creator/drafts')).json().data).toMatchObject([{ caption: 'Moon jar' }]);
  });

  test('replaces the session and retains its log-in time', async () => {
    await joinTeam(creator, member, ['chat']);
    const before = await app.logIn(member);
    app.clock.advance(60 * 60_000);
    const answered = await act(before, creator.id);
    expect((await before.inject('GET', '/api/auth/user')).statusCode).toBe(401);
    const cookie = answered.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    const back = await app.inject('POST', '/api/teams/act', { creatorId: null }, { cookie });
    const own = back.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    expect((await app.inject('GET', '/api/auth/user', undefined, { cookie: own })).json().id).toBe(member.id);
    const change = { newPassword: 'Another7!pass' };
    const refused = await app.inject('POST', '/api/customer/profile-pass-change', change, { cookie: own });
    expect(refused.statusCode).toBe(403);
  });

  test('is refused for creators whose team the user has not joined', async () => {
    expect((await act(member, creator.id)).statusCode).toBe(404);
    expect((await act(member, fan.id)).statusCode).toBe(404);
    await invite(member.username);
    expect((await act(member, creator.id)).statusCode).toBe(404);
  });

  test('applies separate rights for two creators', async () => {
    const other = await app.signUp('creator');
    await joinTeam(creator, member, ['chat']);
    await joinTeam(other, member, ['figures']);
    const [one, two] = [await actingFor(app, member, creator.id), await actingFor(app, member, other.id)];
    const paths = ['/api/message/conversation-list', '/api/creator/balance'];
    const codes = (who: TestUser) => Promise.all(paths.map(async (path) => (await who.inject('GET', path)).statusCode));
    expect(await codes(one)).toEqual([200, 403]);
    expect(await codes(two)).toEqual([403, 200]);
    const { conversationId } = await talk();
    expect((await one.inject('GET', `/api/message/conversation/${conversationId}`)).statusCode).toBe(200);
    expect((await one.inject('POST', '/api/teams/act', { creatorId: other.id })).statusCode).toBe(200);
  });
});

describe('an acting session', () => {
  test('is refused by every route without team rights, even with all rights', async () => {
    await joinTeam(creator, member, TEAM_RIGHTS);
    const acting = await actingFor(app, member, creator.id);
    const closed = ROUTES.filter(({ route }) => !route.team && route.auth !== 'public');
    expect(closed.length).toBeGreaterThan(100);
    for (const { name, route } of closed) {
      const { body } = sampleOf(route);
      const payload = route.method === 'GET' || body === undefined ? undefined : JSON.stringify(body);
      const headers = payload === undefined ? {} : { 'content-type': 'application/json' };
      const answered = await acting.inject(route.method, addressOf(route), payload, headers);
      expect([name, answered.json().code]).toEqual([name, 'FORBIDDEN']);
    }
    const names = closed.map(({ name }) => name);
    for (const name of [
      ...['changePassword', 'beginTwoFactor', 'disableTwoFactor', 'listSessions', 'revokeSession', 'closeAccount'],
      ...['addPayoutMethod', 'replacePayoutMethod', 'removePayoutMethod', 'listPayoutMethods', 'submitVerification'],
      ...['blockUnblockCustomer', 'inviteToTeam', 'changeRights', 'removeMember', 'getTeam', 'listTeamActs'],
      ...['askArchive', 'downloadArchive', 'answerInvitation', 'sendTip', 'unlockPost', 'earningsStatement'],
    ])
      expect(names).toContain(name);
  });

  test('is refused by every route whose rights it does not have', async () => {
    const ofRights = ROUTES.filter(({ route }) => Array.isArray(route.team) && route.auth !== 'public');
    expect(ofRights.length).toBeGreaterThan(40);
    for (const right of TEAM_RIGHTS) {
      const helper = await app.signUp('customer');
      await joinTeam(creator, helper, [right]);
      const acting = await actingFor(app, helper, creator.id);
      for (const { name, route } of ofRights) {
        if (Array.isArray(route.team) && route.team.includes(right)) continue;
        const { body } = sampleOf(route);
        const payload = route.method === 'GET' || body === undefined ? undefined : JSON.stringify(body);
        const headers = payload === undefined ? {} : { 'content-type': 'application/json' };
        const answered = await acting.inject(route.method, addressOf(route), payload, headers);
        expect([name, right, answered.json().code]).toEqual([name, right, 'FORBIDDEN']);
      }
    }
  });

  test('gains nothing beyond its rights on public pages and uploads', async () => {
    const post = await makePost(app.ctx, creator.id, { priceCents: 900 });
    await joinTeam(creator, member, ['figures']);
    const acting = await actingFor(app, member, creator.id);
    const [theirs, nobodys] = [acting, app].map((who) => who.inject('GET', `/api/post/${post}`));
    expect((await theirs)?.json()).toEqual((await nobodys)?.json());
    const upload = await acting.inject('POST', '/files', undefined, {
      'tus-resumable': '1.0.0',
      'upload-length': '9',
    });
    expect([upload.statusCode, upload.json().code]).toEqual([403, 'FORBIDDEN']);
  });
});

describe('the log of actions', () => {
  test('stores each action before it runs, with member, time and refusal, and cannot be edited', async () => {
    const { conversationId } = await talk();
    await joinTeam(creator, member, ['chat']);
    const acting = await actingFor(app, member, creator.id);
    await write(acting, conversationId, 'One');
    await acting.inject('POST', `/api/message/mute-unmute/${conversationId}`, { isMuted: true });
    const nowhere = '00000000-0000-7000-8000-000000000000';
    expect((await write(acting, nowhere, 'Nobody hears this')).statusCode).toBe(404);
    const acts = (await creator.inject('GET', '/api/creator/team/acts')).json();
    expect(acts).toMatchObject({
      totalCount: 3,
      data: [
        { what: 'Send a text message', isRefused: true, member: { id: member.id, name: 'Jonas Helper' } },
        { what: 'Mute or unmute a conversation', subject: `message:${conversationId}`, isRefused: false },
        { what: 'Send a text message', subject: `conversationId:${conversationId}`, isRefused: false },
      ],
    });
    const page = (await creator.inject('GET', '/api/creator/team/acts?limit=2')).json();
    const next = (await creator.inject('GET', `/api/creator/team/acts?limit=2&offset=${page.nextOffset}`)).json();
    expect([...page.data, ...next.data]).toEqual(acts.data);
    for (const change of ['update team_acts set what = $1', 'delete from team_acts where what <> $1'])
      await expect(app.ctx.db.run({ name: change, text: change }, ['nothing'])).rejects.toMatchObject({
        code: '42501',
      });
    const other = await app.signUp('creator');
    expect((await other.inject('GET', '/api/creator/team/acts')).json().data).toEqual([]);
  });
});

describe('access of a member', () => {
  test('ends at once with the membership, and messages retain their author', async () => {
    const { conversationId } = await talk();
    await joinTeam(creator, member, ['chat']);
    const acting = await actingFor(app, member, creator.id);
    const [tab, own] = [await openTab(port, acting.cookie), await openTab(port, member.cookie)];
    await talk('Is anybody there?');
    await write(acting, conversationId, 'Yes');
    expect((await creator.inject('DELETE', `/api/creator/team/members/${member.id}`)).json().members).toEqual([]);
    await tab.closed;
    expect((await write(acting, conversationId, 'Still here')).json().code).toBe('UNAUTHORIZED');
    expect((await act(member, creator.id)).statusCode).toBe(404);
    expect((await member.inject('GET', '/api/auth/user')).json().id).toBe(member.id);
    expect((await creator.inject('DELETE', `/api/creator/team/members/${member.id}`)).statusCode).toBe(404);
    const [last] = (await fan.inject('GET', `/api/message/list/${conversationId}`)).json().data;
    expect(last).toMatchObject({ text: 'Yes', by: { name: 'Mirele’s team' } });
    own.close();
  });

  test('ends when a right is removed, not when one is added, and members cannot change their rights', async () => {
    await joinTeam(creator, member, ['chat']);
    const acting = await actingFor(app, member, creator.id);
    const set = (who: TestUser, rights: string[]) =>
      who.inject('PATCH', `/api/creator/team/members/${member.id}`, { rights });
    expect((await set(acting, ['chat', 'figures'])).statusCode).toBe(403);
    expect((await set(member, ['chat', 'figures'])).statusCode).toBe(403);
    expect((await set(await app.signUp('creator'), ['figures'])).statusCode).toBe(404);
    expect((await set(creator, ['chat', 'figures'])).json().members[0].rights).toEqual(['chat', 'figures']);
    app.clock.advance(6_000);
    expect((await acting.inject('GET', '/api/creator/balance')).statusCode).toBe(200);
    await set(creator, ['figures']);
    expect((await acting.inject('GET', '/api/creator/balance')).statusCode).toBe(401);
  });

  test('ends when either blocks the other, an account is blocked, or the member leaves', async () => {
    const pair = { creatorId: creator.id, fanId: member.id };
    await writeDirectly(app.ctx, pair, { from: 'fan', text: 'May I help?' });
    await joinTeam(creator, member, ['chat']);
    const blocked = await actingFor(app, member, creator.id);
    await creator.inject('POST', `/api/message/block-unblock-customer/${member.id}`, { isBlocked: true });
    await app.ctx.events.settle();
    await expect.poll(async () => (await teamOf(creator)).members).toEqual([]);
    expect((await blocked.inject('GET', '/api/auth/user')).statusCode).toBe(401);

    const second = await app.signUp('customer');
    await joinTeam(creator, second, ['chat']);
    const leaving = await actingFor(app, second, creator.id);
    expect((await second.inject('DELETE', `/api/teams/${creator.id}`)).statusCode).toBe(200);
    expect((await leaving.inject('GET', '/api/auth/user')).statusCode).toBe(401);

    await joinTeam(creator, second, ['chat']);
    const third = await app.signUp('customer');
    await joinTeam(creator, third, ['chat']);
    const [ofBlocked, ofOther] = [await actingFor(app, second, creator.id), await actingFor(app, third, creator.id)];
    const tab = await openTab(port, ofOther.cookie);
    await blockAccount(app.ctx, second.id, 'test');
    expect((await ofBlocked.inject('GET', '/api/message/conversation-list')).statusCode).toBe(401);
    await blockAccount(app.ctx, creator.id, 'test');
    await tab.closed;
    expect((await ofOther.inject('GET', '/api/message/conversation-list')).json().code).toBe('account_blocked');
  });

  test('includes the socket events of its rights only', async () => {
    const { conversationId } = await talk();
    await app.ctx.events.settle();
    await joinTeam(creator, member, ['chat']);
    const other = await app.signUp('customer');
    await joinTeam(creator, other, ['figures']);
    const [chat, figures] = [
      await openTab(port, (await actingFor(app, member, creator.id)).cookie),
      await openTab(port, (await actingFor(app, other, creator.id)).cookie),
    ];
    await write(fan, conversationId, 'Heard by chat');
    await expect.poll(() => chat.of('RECEIVE_MESSAGE')).toMatchObject([[{ text: 'Heard by chat' }]]);
    const theirs = await openTab(port, fan.cookie);
    chat.send('MESSAGE_TYPING', { conversationId });
    await expect.poll(() => theirs.of('MESSAGE_TYPING')).toMatchObject([{ userId: creator.id, isTyping: true }]);
    figures.send('MESSAGE_TYPING', { conversationId });
    figures.send('USER_STATUS_ACTIVITY');
    await write(fan, conversationId, 'And again');
    await expect.poll(() => chat.of('RECEIVE_MESSAGE')).toHaveLength(2);
    expect(theirs.of('MESSAGE_TYPING')).toHaveLength(1);
    expect(figures.heard.filter(({ name }) => name !== 'CREATOR_USER_STATUS')).toEqual([]);
    const profile = await app.inject('GET', `/api/public/profile/${creator.username}`);
    expect(profile.json().status).toBe('offline');
    for (const tab of [chat, figures, theirs]) tab.close();
  });
});
