/** Who acts for a creator is kept from what either of the two is kept from, for as long as the longer, and blocked where one is. */
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

test('what one is kept from the other is not allowed in their name', () => {
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
])('blocked where one is: the member %o, the creator %o', (isMember, isCreator) => {
  expect(acting({ isBlocked: isMember }, { isBlocked: isCreator })?.isBlocked).toBe(true);
});
