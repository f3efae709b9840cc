/** Who acts for a creator is kept from what either of the two is kept from, for as long as the longer, and blocked where one is. */
import { expect, test } from 'vitest';
import { whoFor } from './acting.ts';
import type { Actor } from './session.ts';

const SOON = '2026-12-01T00:00:00.000Z';
const LATE = '2027-01-01T00:00:00.000Z';

function acting(member: Partial<Actor>, creator: object): Actor | undefined {
  const actor = {
    ...{ userId: 'm', sessionId: 's', type: 'customer', username: 'mia', isBlocked: false, hasSecondFactor: true },
    ...{ loggedInAt: new Date(), limited: {}, roles: null, provenAt: null, ...member },
    actingFor: {
      rights: ['chat'],
      creator: { userId: 'c', username: 'cara', isBlocked: false, limited: {}, ...creator },
    },
  };
  return whoFor(['chat'], actor as unknown as Actor);
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
