import { expect, test } from 'vitest';
import { IDS, makeMessage } from '../testing.ts';
import { toThreadRows } from './rows.ts';

const at = (iso: string) => `2026-03-${iso}:00.000Z`;
const view = { viewerId: IDS.me, now: at('02T12:00'), zone: 'UTC', readUpTo: undefined };

test('each day is shown once, and a group ends with a change of sender, time or day', () => {
  const messages = [
    makeMessage({ seq: 1, createdAt: at('01T23:58') }),
    makeMessage({ seq: 2, createdAt: at('02T00:01') }),
    makeMessage({ seq: 3, createdAt: at('02T00:02') }),
    makeMessage({ seq: 4, createdAt: at('02T00:03'), ownerId: IDS.me, ownerType: 'customer' }),
    makeMessage({ seq: 5, createdAt: at('02T09:00'), ownerId: IDS.me, ownerType: 'customer' }),
  ];
  const rows = toThreadRows(messages, [], view);
  expect(rows.map(({ day }) => day)).toEqual(['Yesterday', 'Today', undefined, undefined, undefined]);
  expect(rows.map(({ isLast }) => isLast)).toEqual([true, false, true, true, true]);
});

test('the unread marker is at the first unread message of the other side', () => {
  const messages = [
    makeMessage({ seq: 1 }),
    makeMessage({ seq: 2, ownerId: IDS.me, ownerType: 'customer' }),
    makeMessage({ seq: 3 }),
    makeMessage({ seq: 4 }),
  ];
  const rows = toThreadRows(messages, [], { ...view, readUpTo: 1 });
  expect(rows.map(({ isFirstUnread }) => isFirstUnread)).toEqual([false, false, true, false]);
});

test('a placeholder has the same key as its later message', () => {
  const message = makeMessage({ seq: 9, clientId: 'mine', ownerId: IDS.me, ownerType: 'customer' });
  const [row] = toThreadRows([message], [], view);
  expect(row?.key).toBe('mine');
});
