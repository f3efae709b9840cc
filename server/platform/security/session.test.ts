import { sessionId, userId } from '@stagedoor/contract/shared/ids.ts';
import { expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { createTestClock } from '../clock.ts';
import { type Actor, createSessionCache, createToken, type FindSession, hashToken } from './session.ts';

const START = new Date('2026-11-21T10:00:00.000Z');

const ANNA: Actor = {
  userId: z.parse(userId, '0199d3a0-0000-7000-8000-000000000001'),
  sessionId: z.parse(sessionId, '0199d3a0-0000-7000-8000-000000000002'),
  type: 'customer',
  username: 'anna',
  isBlocked: false,
  hasSecondFactor: false,
  loggedInAt: START,
};

function open() {
  const clock = createTestClock(START);
  const sessions = createSessionCache(clock);
  const waiting: ((actor: Actor | undefined) => void)[] = [];
  const find = vi.fn<FindSession>(() => new Promise((resolve) => waiting.push(resolve)));
  sessions.setFinder(find);
  return { clock, sessions, find, answer: (actor: Actor | undefined) => waiting.shift()?.(actor) };
}

test('a resolved session is cached for five seconds', async () => {
  const { clock, sessions, find, answer } = open();
  const token = createToken();
  const first = sessions.resolve(token);
  answer(ANNA);
  expect((await first)?.username).toBe('anna');
  clock.advance(4_999);
  expect((await sessions.resolve(token))?.username).toBe('anna');
  expect(find).toHaveBeenCalledTimes(1);
  clock.advance(1);
  const second = sessions.resolve(token);
  answer(undefined);
  expect(await second).toBeUndefined();
});

test.each([
  ['the session', { sessionIds: [ANNA.sessionId] }],
  ['every session of the user', { userIds: [ANNA.userId] }],
])('a session that is being read while %s ended is read again and refused', async (_label, endedSessions) => {
  const { sessions, find, answer } = open();
  const reading = sessions.resolve(createToken());
  sessions.invalidate(endedSessions);
  answer(ANNA);
  await expect.poll(() => find.mock.calls.length).toBe(2);
  answer(undefined);
  expect(await reading).toBeUndefined();
});

test('a session is returned but not cached if sessions keep ending during the lookup', async () => {
  const { sessions, find, answer } = open();
  const token = createToken();
  const reading = sessions.resolve(token);
  for (let reads = 1; reads <= 3; reads += 1) {
    await expect.poll(() => find.mock.calls.length).toBe(reads);
    sessions.invalidate({ sessionIds: ['another'] });
    answer(ANNA);
  }
  expect((await reading)?.username).toBe('anna');
  void sessions.resolve(token);
  expect(find).toHaveBeenCalledTimes(4);
});

test('a late result of an older lookup does not replace a newer one', async () => {
  const { sessions, find } = open();
  const token = createToken();
  const late = Promise.withResolvers<Actor | undefined>();
  find.mockReturnValueOnce(late.promise).mockResolvedValueOnce({ ...ANNA, username: 'anna.new' });
  const older = sessions.resolve(token);
  await sessions.resolve(token);
  late.resolve(ANNA);
  expect((await older)?.username).toBe('anna.new');
  expect((await sessions.resolve(token))?.username).toBe('anna.new');
  expect(find).toHaveBeenCalledTimes(2);
});

test('no session is cached while notifications of ended sessions are missing', async () => {
  const { sessions, find } = open();
  const token = createToken();
  find.mockResolvedValue(ANNA);
  await sessions.resolve(token);
  sessions.setListening(false);
  await sessions.resolve(token);
  await sessions.resolve(token);
  expect(find).toHaveBeenCalledTimes(3);
  sessions.setListening(true);
  await sessions.resolve(token);
  await sessions.resolve(token);
  expect(find).toHaveBeenCalledTimes(4);
});

test('a lookup that began before the session ended does not restore it', async () => {
  const { clock, sessions, find, answer } = open();
  const token = createToken();
  const first = sessions.resolve(token);
  answer(ANNA);
  await first;
  clock.advance(5_000);
  const reading = sessions.resolve(token);
  sessions.invalidate({ sessionIds: [ANNA.sessionId] });
  answer(ANNA);
  await expect.poll(() => find.mock.calls.length).toBe(3);
  answer(undefined);
  expect(await reading).toBeUndefined();
});

test('an invalid token causes no lookup', async () => {
  const { sessions, find } = open();
  for (const token of [undefined, '', 'x', `${createToken()}x`, `${createToken().slice(1)} `])
    expect(await sessions.resolve(token)).toBeUndefined();
  expect(find).not.toHaveBeenCalled();
});

test('an ended session is forgotten alone, and for a user all sessions are', async () => {
  const { sessions, find } = open();
  const byToken = new Map<string, Actor>();
  find.mockImplementation(async (hash) => byToken.get(hash.toString('hex')));
  const logIn = (actor: Actor) => {
    const token = createToken();
    byToken.set(hashToken(token).toString('hex'), actor);
    return token;
  };
  const other = { ...ANNA, sessionId: z.parse(sessionId, '0199d3a0-0000-7000-8000-000000000003') };
  const ben = {
    ...ANNA,
    userId: z.parse(userId, '0199d3a0-0000-7000-8000-000000000004'),
    sessionId: z.parse(sessionId, '0199d3a0-0000-7000-8000-000000000005'),
  };
  const tokens = [logIn(ANNA), logIn(other), logIn(ben)];
  const countReads = async () => {
    find.mockClear();
    for (const token of tokens) await sessions.resolve(token);
    return find.mock.calls.length;
  };
  expect(await countReads()).toBe(3);
  expect(await countReads()).toBe(0);
  sessions.invalidate({ sessionIds: [ANNA.sessionId] });
  expect(await countReads()).toBe(1);
  sessions.invalidate({ userIds: [ANNA.userId] });
  expect(await countReads()).toBe(2);
});

test("sessions that act for a creator are forgotten when the creator's sessions end", async () => {
  const { sessions, find } = open();
  const creatorId = z.parse(userId, '0199d3a0-0000-7000-8000-000000000006');
  const creator = { userId: creatorId, username: 'carla', isBlocked: false };
  find.mockResolvedValue({ ...ANNA, onBehalfOf: { creator, rights: [] } });
  const token = createToken();
  await sessions.resolve(token);
  sessions.invalidate({ userIds: [creatorId] });
  await sessions.resolve(token);
  expect(find).toHaveBeenCalledTimes(2);
});

test('a new token has 256 random bits and is stored as its SHA-256', () => {
  const [one, another] = [createToken(), createToken()];
  expect(Buffer.from(one, 'base64url')).toHaveLength(32);
  expect(one).not.toBe(another);
  expect(hashToken('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
