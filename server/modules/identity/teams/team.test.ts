import type { AddressInfo } from 'node:net';
import { TEAM_RIGHTS } from '@stagedoor/contract/shared/delegation.ts';
import { TEAM_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { createFollow } from '../../content/follows/testing.ts';
import { makePost } from '../../content/posts/testing.ts';
import { ROUTES } from '../../index.ts';
import { openTab, seedMessage } from '../../messaging/chat/testing.ts';
import { blockAccount } from '../accounts/index.ts';
import { createExport, findExport, unzip } from '../data-export/testing.ts';
import { createDelegatedSession, joinTeam, ROUTES_CLOSED_TO_TEAMS, requestSample } from './testing.ts';

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

const writeAsFan = (text = 'Good evening') =>
  seedMessage(app.ctx, { creatorId: creator.id, fanId: fan.id }, { from: 'fan', text });
const write = (user: TestUser, conversationId: string, text: string) =>
  user.inject('POST', '/api/message/text', { conversationId, text });
const getTeam = async (user: TestUser) => (await user.inject('GET', '/api/creator/team')).json();
const getOwnTeams = async (user: TestUser) => (await user.inject('GET', '/api/teams')).json();
const invite = (to: string, rights: string[] = ['chat'], user = creator) =>
  user.inject('POST', '/api/creator/team/invitations', { to, rights });
const respond = (user: TestUser, id: string, isAccepted = true) =>
  user.inject('POST', `/api/teams/invitations/${id}`, { isAccepted });
const switchTo = (user: TestUser, creatorId: string | null) =>
  user.inject('POST', '/api/teams/delegation', { creatorId });

describe('an invitation', () => {
  test('by username is mailed, accepted in the member’s own session and reported to the creator', async () => {
    const response = await invite(member.username, ['chat', 'figures']);
    expect(response.json()).toMatchObject({
      members: [],
      invitations: [{ to: member.username }],
      max: TEAM_LIMITS.members,
    });
    const [invitation] = (await getOwnTeams(member)).invitations;
    expect(invitation).toMatchObject({ creator: { id: creator.id, name: 'Mirele' }, rights: ['chat', 'figures'] });
    expect((await respond(member, invitation.id)).json()).toMatchObject({ invitations: [], onBehalfOf: null });
    expect(await getTeam(creator)).toMatchObject({
      members: [{ user: { id: member.id, name: 'Jonas Helper' }, rights: ['chat', 'figures'] }],
      invitations: [],
    });
    const mails = await app.ctx.db.query.selectFrom('development_mail').select(['recipient', 'subject']).execute();
    expect(mails).toContainEqual({ recipient: member.email, subject: 'You’re invited to a team' });
    expect(mails).toContainEqual({ recipient: creator.email, subject: 'New team member' });
    await app.ctx.events.waitUntilIdle();
    const [alert] = (await creator.inject('GET', '/api/notifications')).json().data;
    expect(alert).toMatchObject({ kind: 'teamJoined', users: [{ name: 'Jonas Helper' }], text: 'joined your team' });
  });

  test('by address can be accepted by its confirmed owner only and reveals no account', async () => {
    const [known, unknown] = [await invite(member.email.toUpperCase()), await invite('nobody.here@example.com')];
    expect([known.statusCode, unknown.statusCode]).toEqual([200, 200]);
    const [invitation] = (await getOwnTeams(member)).invitations;
    expect((await getOwnTeams(fan)).invitations).toEqual([]);
    expect((await respond(fan, invitation.id)).statusCode).toBe(404);
    expect((await respond(member, invitation.id)).statusCode).toBe(200);
    const late = await app.signUp('customer', { email: 'nobody.here@example.com' });
    expect((await getOwnTeams(late)).invitations).toHaveLength(1);
  });

  test('has no effect once declined, withdrawn or expired, and a new one replaces it', async () => {
    const readInvitationId = async () => (await getOwnTeams(member)).invitations[0]?.id;
    await invite(member.username);
    const declined = await readInvitationId();
    expect((await respond(member, declined, false)).json()).toMatchObject({ memberships: [], invitations: [] });
    expect((await respond(member, declined)).statusCode).toBe(404);
    await invite(member.username);
    const withdrawn = await readInvitationId();
    const stranger = await app.signUp('creator');
    expect((await stranger.inject('DELETE', `/api/creator/team/invitations/${withdrawn}`)).statusCode).toBe(404);
    expect((await creator.inject('DELETE', `/api/creator/team/invitations/${withdrawn}`)).statusCode).toBe(200);
    expect((await respond(member, withdrawn)).statusCode).toBe(404);
    await invite(member.username);
    await invite(member.username, ['posts']);
    expect((await getOwnTeams(member)).invitations).toMatchObject([{ rights: ['posts'] }]);
    const expired = await readInvitationId();
    app.clock.advance(TEAM_LIMITS.invitationDays * DAY_MS);
    expect((await respond(await app.logIn(member), expired)).statusCode).toBe(404);
    expect((await getTeam(creator)).invitations).toEqual([]);
  });

  test('to an unknown, blocked, own or operator account fails with the same error', async () => {
    await writeAsFan();
    await creator.inject('POST', `/api/message/block-unblock-customer/${fan.id}`, { isBlocked: true });
    const [operator, blockedUser] = [await app.signUp('operator'), await app.signUp('customer')];
    await blockAccount(app.ctx, blockedUser.id, 'test');
    const names = ['nobody.at.all', creator.username, operator.username, blockedUser.username, fan.username];
    const responses = await Promise.all(names.map((name) => invite(name)));
    expect(new Set(responses.map(({ body }) => body)).size).toBe(1);
    expect(responses[0]?.json().error).toMatchObject([{ field: 'to' }]);
  });

  test('counts towards the limit of ten, also for concurrent requests', async () => {
    const requests = Array.from({ length: TEAM_LIMITS.members + 3 }, (_, index) =>
      invite(`person${index}.team@example.com`),
    );
    const responses = await Promise.all(requests);
    expect(responses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(TEAM_LIMITS.members);
    expect((await getTeam(creator)).invitations).toHaveLength(TEAM_LIMITS.members);
  });
});

describe('acting for a creator', () => {
  test('stores the author of a message: the fan sees the team, the creator sees the member', async () => {
    const { conversationId } = await writeAsFan();
    await joinTeam(creator, member, ['chat']);
    const delegated = await createDelegatedSession(app, member, creator.id);
    const [fanTab, creatorTab] = [await openTab(port, fan.cookie), await openTab(port, creator.cookie)];
    const sent = await write(delegated, conversationId, 'It is fired on Friday.');
    expect(sent.json().data).toMatchObject({ ownerId: creator.id, teamAuthor: { member: 'Jonas Helper' } });
    const authorForFan = { name: 'Mirele’s team', member: null };
    await expect
      .poll(() => fanTab.listPayloads('RECEIVE_MESSAGE'))
      .toContainEqual([expect.objectContaining({ teamAuthor: authorForFan })]);
    await expect
      .poll(() => creatorTab.listPayloads('RECEIVE_MESSAGE'))
      .toContainEqual([expect.objectContaining({ teamAuthor: { name: 'Mirele’s team', member: 'Jonas Helper' } })]);
    expect(JSON.stringify(fanTab.received)).not.toContain('Jonas');
    const messages = (await fan.inject('GET', `/api/message/list/${conversationId}`)).json().data;
    expect(messages[0]).toMatchObject({ text: 'It is fired on Friday.', teamAuthor: authorForFan });
    expect(messages[1]).not.toHaveProperty('teamAuthor');
    await write(creator, conversationId, 'I am here myself.');
    const [ownMessage] = (await fan.inject('GET', `/api/message/list/${conversationId}`)).json().data;
    expect(ownMessage).not.toHaveProperty('teamAuthor');
    for (const tab of [fanTab, creatorTab]) tab.close();
  });

  test('stores the author of a broadcast too, and data exports show it as it was read', async () => {
    await createFollow(app.ctx, fan.id, creator.id);
    await joinTeam(creator, member, ['chat']);
    const delegated = await createDelegatedSession(app, member, creator.id);
    const body = { audience: 'followers', text: 'Tonight at nine' };
    expect((await delegated.inject('POST', '/api/message/broadcast-text', body)).json().data.message).toMatchObject({
      teamAuthor: { member: 'Jonas Helper' },
    });
    await app.ctx.events.waitUntilIdle();
    const [conversation] = (await fan.inject('GET', '/api/message/conversation-list')).json().data;
    const [message] = (await fan.inject('GET', `/api/message/list/${conversation.id}`)).json().data;
    expect(message).toMatchObject({ text: 'Tonight at nine', teamAuthor: { name: 'Mirele’s team', member: null } });
    const readAuthor = async (user: TestUser) => {
      await user.inject('POST', '/api/account/data-export');
      const row = await findExport(app.ctx.db, user.id);
      await createExport(app.ctx, { userId: user.id, id: row?.id ?? '' }, { isLast: true, signal: undefined });
      await user.inject('POST', '/api/account/data-export/unlock', { currentPassword: user.password });
      const files = unzip((await user.inject('GET', '/api/account/data-export/file')).rawPayload);
      return JSON.parse(files.get('data/messages.json')?.toString() ?? '[]')[0].writtenBy;
    };
    expect(await readAuthor(fan)).toBe('Mirele’s team');
    expect(await readAuthor(creator)).toBe('Jonas Helper');
  });

  test('shows the creator without private data, and who acts', async () => {
    await joinTeam(creator, member, ['posts']);
    const delegated = await createDelegatedSession(app, member, creator.id);
    expect((await delegated.inject('GET', '/api/auth/user')).json()).toMatchObject({
      id: creator.id,
      type: 'creator',
      email: '',
      delegation: { name: 'Jonas Helper', rights: ['posts'] },
    });
    expect(await getOwnTeams(delegated)).toMatchObject({ onBehalfOf: creator.id });
    const draft = await delegated.inject('POST', '/api/creator/drafts', { caption: 'Moon jar' });
    expect(draft.statusCode, draft.body).toBe(200);
    expect((await creator.inject('GET', '/api/creator/drafts')).json().data).toMatchObject([{ caption: 'Moon jar' }]);
  });

  test('replaces the session and retains its log-in time', async () => {
    await joinTeam(creator, member, ['chat']);
    const previousSession = await app.logIn(member);
    app.clock.advance(60 * 60_000);
    const response = await switchTo(previousSession, creator.id);
    expect((await previousSession.inject('GET', '/api/auth/user')).statusCode).toBe(401);
    const cookie = response.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    const endResponse = await app.inject('POST', '/api/teams/delegation', { creatorId: null }, { cookie });
    const ownCookie = endResponse.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    expect((await app.inject('GET', '/api/auth/user', undefined, { cookie: ownCookie })).json().id).toBe(member.id);
    const change = { newPassword: 'Another7!pass' };
    const refused = await app.inject('POST', '/api/customer/profile-pass-change', change, { cookie: ownCookie });
    expect(refused.statusCode).toBe(403);
  });

  test('is refused for creators whose team the user has not joined', async () => {
    expect((await switchTo(member, creator.id)).statusCode).toBe(404);
    expect((await switchTo(member, fan.id)).statusCode).toBe(404);
    await invite(member.username);
    expect((await switchTo(member, creator.id)).statusCode).toBe(404);
  });

  test('applies separate rights for two creators', async () => {
    const other = await app.signUp('creator');
    await joinTeam(creator, member, ['chat']);
    await joinTeam(other, member, ['figures']);
    const [firstDelegation, secondDelegation] = [
      await createDelegatedSession(app, member, creator.id),
      await createDelegatedSession(app, member, other.id),
    ];
    const paths = ['/api/message/conversation-list', '/api/creator/balance'];
    const codes = (user: TestUser) =>
      Promise.all(paths.map(async (path) => (await user.inject('GET', path)).statusCode));
    expect(await codes(firstDelegation)).toEqual([200, 403]);
    expect(await codes(secondDelegation)).toEqual([403, 200]);
    const { conversationId } = await writeAsFan();
    expect((await firstDelegation.inject('GET', `/api/message/conversation/${conversationId}`)).statusCode).toBe(200);
    expect((await switchTo(firstDelegation, other.id)).statusCode).toBe(200);
  });
});

describe('an acting session', () => {
  test('is refused by every route without team rights, even with all rights', async () => {
    await joinTeam(creator, member, TEAM_RIGHTS);
    const delegated = await createDelegatedSession(app, member, creator.id);
    const closedRoutes = ROUTES.filter(({ route }) => !route.team && route.auth !== 'public');
    expect(closedRoutes.length).toBeGreaterThan(100);
    for (const { name, route } of closedRoutes) {
      const response = await requestSample(delegated, route);
      expect([name, response.json().code]).toEqual([name, 'FORBIDDEN']);
    }
    const names = closedRoutes.map(({ name }) => name);
    for (const name of ROUTES_CLOSED_TO_TEAMS) expect(names).toContain(name);
  });

  test('is refused by every route whose rights it does not have', async () => {
    const rightRoutes = ROUTES.filter(({ route }) => Array.isArray(route.team) && route.auth !== 'public');
    expect(rightRoutes.length).toBeGreaterThan(40);
    for (const right of TEAM_RIGHTS) {
      const helper = await app.signUp('customer');
      await joinTeam(creator, helper, [right]);
      const delegated = await createDelegatedSession(app, helper, creator.id);
      for (const { name, route } of rightRoutes) {
        if (Array.isArray(route.team) && route.team.includes(right)) continue;
        const response = await requestSample(delegated, route);
        expect([name, right, response.json().code]).toEqual([name, right, 'FORBIDDEN']);
      }
    }
  });

  test('gains nothing beyond its rights on public pages and uploads', async () => {
    const post = await makePost(app.ctx, creator.id, { priceCents: 900 });
    await joinTeam(creator, member, ['figures']);
    const delegated = await createDelegatedSession(app, member, creator.id);
    const [memberResponse, visitorResponse] = [delegated, app].map((user) => user.inject('GET', `/api/post/${post}`));
    expect((await memberResponse)?.json()).toEqual((await visitorResponse)?.json());
    const upload = await delegated.inject('POST', '/files', undefined, {
      'tus-resumable': '1.0.0',
      'upload-length': '9',
    });
    expect([upload.statusCode, upload.json().code]).toEqual([403, 'FORBIDDEN']);
  });
});

describe('the log of actions', () => {
  test('stores each action before it runs, with member, time and refusal, and cannot be edited', async () => {
    const { conversationId } = await writeAsFan();
    await joinTeam(creator, member, ['chat']);
    const delegated = await createDelegatedSession(app, member, creator.id);
    await write(delegated, conversationId, 'One');
    await delegated.inject('POST', `/api/message/mute-unmute/${conversationId}`, { isMuted: true });
    const unknownConversationId = '00000000-0000-7000-8000-000000000000';
    expect((await write(delegated, unknownConversationId, 'Nobody hears this')).statusCode).toBe(404);
    const actions = (await creator.inject('GET', '/api/creator/team/actions')).json();
    expect(actions).toMatchObject({
      totalCount: 3,
      data: [
        { description: 'Send a text message', isRefused: true, member: { id: member.id, name: 'Jonas Helper' } },
        { description: 'Mute or unmute a conversation', subject: `message:${conversationId}`, isRefused: false },
        { description: 'Send a text message', subject: `conversationId:${conversationId}`, isRefused: false },
      ],
    });
    const page = (await creator.inject('GET', '/api/creator/team/actions?limit=2')).json();
    const next = (await creator.inject('GET', `/api/creator/team/actions?limit=2&offset=${page.nextOffset}`)).json();
    expect([...page.data, ...next.data]).toEqual(actions.data);
    for (const change of ['update team_actions set action = $1', 'delete from team_actions where action <> $1'])
      await expect(app.ctx.db.run({ name: change, text: change }, ['nothing'])).rejects.toMatchObject({
        code: '42501',
      });
    const other = await app.signUp('creator');
    expect((await other.inject('GET', '/api/creator/team/actions')).json().data).toEqual([]);
  });
});

describe('access of a member', () => {
  test('ends at once with the membership, and messages retain their author', async () => {
    const { conversationId } = await writeAsFan();
    await joinTeam(creator, member, ['chat']);
    const delegated = await createDelegatedSession(app, member, creator.id);
    const [tab, memberTab] = [await openTab(port, delegated.cookie), await openTab(port, member.cookie)];
    await writeAsFan('Is anybody there?');
    await write(delegated, conversationId, 'Yes');
    expect((await creator.inject('DELETE', `/api/creator/team/members/${member.id}`)).json().members).toEqual([]);
    await tab.closed;
    expect((await write(delegated, conversationId, 'Still here')).json().code).toBe('UNAUTHORIZED');
    expect((await switchTo(member, creator.id)).statusCode).toBe(404);
    expect((await member.inject('GET', '/api/auth/user')).json().id).toBe(member.id);
    expect((await creator.inject('DELETE', `/api/creator/team/members/${member.id}`)).statusCode).toBe(404);
    const [last] = (await fan.inject('GET', `/api/message/list/${conversationId}`)).json().data;
    expect(last).toMatchObject({ text: 'Yes', teamAuthor: { name: 'Mirele’s team' } });
    memberTab.close();
  });

  test('ends when a right is removed, not when one is added, and members cannot change their rights', async () => {
    await joinTeam(creator, member, ['chat']);
    const delegated = await createDelegatedSession(app, member, creator.id);
    const setRights = (user: TestUser, rights: string[]) =>
      user.inject('PATCH', `/api/creator/team/members/${member.id}`, { rights });
    expect((await setRights(delegated, ['chat', 'figures'])).statusCode).toBe(403);
    expect((await setRights(member, ['chat', 'figures'])).statusCode).toBe(403);
    expect((await setRights(await app.signUp('creator'), ['figures'])).statusCode).toBe(404);
    expect((await setRights(creator, ['chat', 'figures'])).json().members[0].rights).toEqual(['chat', 'figures']);
    app.clock.advance(6_000);
    expect((await delegated.inject('GET', '/api/creator/balance')).statusCode).toBe(200);
    await setRights(creator, ['figures']);
    expect((await delegated.inject('GET', '/api/creator/balance')).statusCode).toBe(401);
  });

  test('ends when either blocks the other, an account is blocked, or the member leaves', async () => {
    const pair = { creatorId: creator.id, fanId: member.id };
    await seedMessage(app.ctx, pair, { from: 'fan', text: 'May I help?' });
    await joinTeam(creator, member, ['chat']);
    const blockedDelegation = await createDelegatedSession(app, member, creator.id);
    await creator.inject('POST', `/api/message/block-unblock-customer/${member.id}`, { isBlocked: true });
    await app.ctx.events.waitUntilIdle();
    await expect.poll(async () => (await getTeam(creator)).members).toEqual([]);
    expect((await blockedDelegation.inject('GET', '/api/auth/user')).statusCode).toBe(401);

    const second = await app.signUp('customer');
    await joinTeam(creator, second, ['chat']);
    const leavingDelegation = await createDelegatedSession(app, second, creator.id);
    expect((await second.inject('DELETE', `/api/teams/${creator.id}`)).statusCode).toBe(200);
    expect((await leavingDelegation.inject('GET', '/api/auth/user')).statusCode).toBe(401);

    await joinTeam(creator, second, ['chat']);
    const third = await app.signUp('customer');
    await joinTeam(creator, third, ['chat']);
    const [secondDelegation, otherDelegation] = [
      await createDelegatedSession(app, second, creator.id),
      await createDelegatedSession(app, third, creator.id),
    ];
    const tab = await openTab(port, otherDelegation.cookie);
    await blockAccount(app.ctx, second.id, 'test');
    expect((await secondDelegation.inject('GET', '/api/message/conversation-list')).statusCode).toBe(401);
    await blockAccount(app.ctx, creator.id, 'test');
    await tab.closed;
    expect((await otherDelegation.inject('GET', '/api/message/conversation-list')).json().code).toBe('account_blocked');
  });

  test('includes the socket events of its rights only', async () => {
    const { conversationId } = await writeAsFan();
    await app.ctx.events.waitUntilIdle();
    await joinTeam(creator, member, ['chat']);
    const other = await app.signUp('customer');
    await joinTeam(creator, other, ['figures']);
    const [chat, figures] = [
      await openTab(port, (await createDelegatedSession(app, member, creator.id)).cookie),
      await openTab(port, (await createDelegatedSession(app, other, creator.id)).cookie),
    ];
    await write(fan, conversationId, 'Heard by chat');
    await expect.poll(() => chat.listPayloads('RECEIVE_MESSAGE')).toMatchObject([[{ text: 'Heard by chat' }]]);
    const fanTab = await openTab(port, fan.cookie);
    chat.send('MESSAGE_TYPING', { conversationId });
    await expect
      .poll(() => fanTab.listPayloads('MESSAGE_TYPING'))
      .toMatchObject([{ userId: creator.id, isTyping: true }]);
    figures.send('MESSAGE_TYPING', { conversationId });
    figures.send('USER_STATUS_ACTIVITY');
    await write(fan, conversationId, 'And again');
    await expect.poll(() => chat.listPayloads('RECEIVE_MESSAGE')).toHaveLength(2);
    expect(fanTab.listPayloads('MESSAGE_TYPING')).toHaveLength(1);
    expect(figures.received.filter(({ name }) => name !== 'CREATOR_USER_STATUS')).toEqual([]);
    const profile = await app.inject('GET', `/api/public/profile/${creator.username}`);
    expect(profile.json().status).toBe('offline');
    for (const tab of [chat, figures, fanTab]) tab.close();
  });
});
