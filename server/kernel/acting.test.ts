import { sessionId, userId } from '@stagedoor/contract/atoms/ids.ts';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { whoFor } from './acting.ts';
import type { Acting, Actor } from './session.ts';

const SOON = '2026-12-01T00:00:00.000Z';
const LATE = '2027-01-01T00:00:00.000Z';
const person = z.parse(userId, '01a1ee87-3200-7005-93e2-b7cda5b27640');

function acting(member: Partial<Actor>, creator: Partial<Acting['creator']>): Actor | undefined {
  const actor: Actor = {
    ...{ userId: person, type: 'customer', username: 'mia', isBlocked: false, hasSecondFactor: true },
    ...{ sessionId: z.parse(sessionId, person), loggedInAt: new Date(SOON), ...member },
    actingFor: { rights: ['chat'], creator: { userId: person, username: 'cara', isBlocked: false, ...creator } },
  };
  return whoFor(['chat'], actor);
}

test('a restriction of the member or the creator applies, until the later end if both have it', () => {
  expect(acting({ limited: { chat: SOON } }, {})?.limited).toEqual({ chat: SOON });
  expect(acting({}, { limited: { chat: SOON } })?.limited).toEqual({ chat: SOON });
  expect(acting({ limited: { chat: LATE } }, { limited: { chat: SOON, posting: SOON } })?.limited).toEqual({
    chat: LATE,
    posting: SOON,
  });
});

test.each([
  [true, false],
  [false, true],
])('an actor is blocked when the member (%o) or the creator (%o) is blocked', (isMember, isCreator) => {
  expect(acting({ isBlocked: isMember }, { isBlocked: isCreator })?.isBlocked).toBe(true);
});
