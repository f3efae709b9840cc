import { sessionId, userId } from '@stagedoor/contract/shared/ids.ts';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { resolveActor } from './delegation.ts';
import type { Actor, Delegation } from './session.ts';

const SOON = '2026-12-01T00:00:00.000Z';
const LATE = '2027-01-01T00:00:00.000Z';
const id = z.parse(userId, '01a1ee87-3200-7005-93e2-b7cda5b27640');

function actOnBehalf(member: Partial<Actor>, creator: Partial<Delegation['creator']>): Actor | undefined {
  const actor: Actor = {
    ...{ userId: id, type: 'customer', username: 'mia', isBlocked: false, hasSecondFactor: true },
    ...{ sessionId: z.parse(sessionId, id), loggedInAt: new Date(SOON), ...member },
    onBehalfOf: { rights: ['chat'], creator: { userId: id, username: 'cara', isBlocked: false, ...creator } },
  };
  return resolveActor(['chat'], actor);
}

test('a restriction of the member or the creator applies, until the later end if both have it', () => {
  expect(actOnBehalf({ restrictions: { chat: SOON } }, {})?.restrictions).toEqual({ chat: SOON });
  expect(actOnBehalf({}, { restrictions: { chat: SOON } })?.restrictions).toEqual({ chat: SOON });
  expect(
    actOnBehalf({ restrictions: { chat: LATE } }, { restrictions: { chat: SOON, posting: SOON } })?.restrictions,
  ).toEqual({
    chat: LATE,
    posting: SOON,
  });
});

test.each([
  [true, false],
  [false, true],
])('an actor is blocked when the member (%o) or the creator (%o) is blocked', (isMemberBlocked, isCreatorBlocked) => {
  expect(actOnBehalf({ isBlocked: isMemberBlocked }, { isBlocked: isCreatorBlocked })?.isBlocked).toBe(true);
});
